package bookstore;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.web.context.annotation.SessionScope;

/** The order that a user is making: kept in the session, like the state of a Jmix view, until it is saved. */
@Component
@SessionScope
class Draft {

    private Customer customer;
    private Product chosen;
    private final List<Product> lines = new ArrayList<>();

    void clear() {
        customer = null;
        chosen = null;
        lines.clear();
    }

    void setCustomer(Customer customer) {
        this.customer = customer;
    }

    void choose(Product product) {
        chosen = product;
    }

    /** Makes a line of the product that was chosen. */
    void addLine() {
        if (chosen == null) {
            throw new IncompleteException("no product is chosen");
        }
        lines.add(chosen);
        chosen = null;
    }

    Order toOrder() {
        if (customer == null || lines.isEmpty()) {
            throw new IncompleteException("an order has a customer and at least one line");
        }
        return new Order(customer, lines);
    }

    public Customer getCustomer() {
        return customer;
    }

    public Product getChosen() {
        return chosen;
    }

    public List<Product> getLines() {
        return List.copyOf(lines);
    }
}
