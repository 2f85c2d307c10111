package bookstore;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class Bookstore {

    public static void main(String[] args) {
        SpringApplication.run(Bookstore.class, args);
    }
}
