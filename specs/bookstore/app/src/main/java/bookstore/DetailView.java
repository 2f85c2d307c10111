package bookstore;

import org.springframework.data.domain.Sort;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** A new order: its customer, its lines, each made in a dialog, and saving it. Each click of the user is one method. */
@Controller
@RequestMapping("/order")
class DetailView {

    private final Draft draft;
    private final Customers customers;
    private final Products products;
    private final OrderSaving saving;

    DetailView(Draft draft, Customers customers, Products products, OrderSaving saving) {
        this.draft = draft;
        this.customers = customers;
        this.products = products;
        this.saving = saving;
    }

    @ModelAttribute("draft")
    Draft draft() {
        return draft;
    }

    @PostMapping("/create")
    String create() {
        draft.clear();
        return "redirect:/order";
    }

    @GetMapping
    String detail() {
        return "order";
    }

    @GetMapping("/customers")
    String customers(Model model) {
        model.addAttribute("customers", customers.findAll(Sort.by("id")));
        return "customers";
    }

    @PostMapping("/customer")
    String selectCustomer(@RequestParam("customer") int id) {
        draft.setCustomer(customers.findById(id).orElseThrow(() -> new IncompleteException("no such customer")));
        return "redirect:/order";
    }

    @GetMapping("/line")
    String line(Model model) {
        model.addAttribute("products", products.findAll(Sort.by("id")));
        return "line";
    }

    @PostMapping("/line/product")
    String selectProduct(@RequestParam("product") int id) {
        draft.choose(products.findById(id).orElseThrow(() -> new IncompleteException("no such product")));
        return "redirect:/order/line";
    }

    @PostMapping("/line")
    String addLine() {
        draft.addLine();
        return "redirect:/order";
    }

    @PostMapping
    String save() {
        saving.save(draft.toOrder());
        draft.clear();
        return "redirect:/orders";
    }
}
