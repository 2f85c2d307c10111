package bookstore;

import java.math.BigDecimal;
import java.time.Instant;

/** An order as the list shows it. */
record OrderRow(Long id, Instant placed, String customer, BigDecimal total) {
}
