package bookstore;

import org.springframework.data.jpa.repository.JpaRepository;

interface Products extends JpaRepository<Product, Integer> {
}
