package bookstore;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The main view and the list of orders. */
@Controller
class ListView {

    private static final Limit PAGE = Limit.of(50);

    private final Orders orders;

    ListView(Orders orders) {
        this.orders = orders;
    }

    @GetMapping("/")
    String main() {
        return "main";
    }

    @GetMapping("/orders")
    String list() {
        return "orders";
    }

    @GetMapping("/orders/rows")
    String rows(Model model) {
        model.addAttribute("count", orders.count());
        model.addAttribute("orders", orders.latest(PAGE));
        return "rows";
    }
}
