package bookstore;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface Orders extends JpaRepository<Order, Long> {

    /** The latest orders first. */
    @Query("select new bookstore.OrderRow(o.id, o.placed, c.name, o.total) "
            + "from Order o join o.customer c order by o.id desc")
    List<OrderRow> latest(Limit limit);
}
