package bookstore;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Customer {

    @Id
    private Integer id;

    private String name;

    public Integer getId() {
        return id;
    }

    public String getName() {
        return name;
    }
}
