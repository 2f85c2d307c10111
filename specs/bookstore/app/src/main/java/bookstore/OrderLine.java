package bookstore;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.SequenceGenerator;
import java.math.BigDecimal;

@Entity
class OrderLine {

    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "order_line_seq")
    @SequenceGenerator(name = "order_line_seq", initialValue = 10_001) // after those of data.sql
    private Long id;

    @ManyToOne
    private Order order;

    @ManyToOne
    private Product product;

    private BigDecimal price;

    protected OrderLine() {
    }

    OrderLine(Order order, Product product) {
        this.order = order;
        this.product = product;
        this.price = product.getPrice();
    }
}
