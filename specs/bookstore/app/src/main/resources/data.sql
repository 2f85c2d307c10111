insert into customer (id, name)
select n, 'Customer ' || n from generate_series(1, 100) n;

insert into product (id, name, price)
select n, 'Book ' || n, 5 + n % 40 + 0.99 from generate_series(1, 100) n;

-- Enough that the list of orders is full from the first user on.
insert into orders (id, placed, customer_id, total)
select n, now() - (10001 - n) * interval '1 minute', 1 + n % 100, 0 from generate_series(1, 1000) n;

insert into order_line (id, order_id, product_id, price)
select 3 * orders.id - line, orders.id, product.id, product.price
from orders
cross join generate_series(0, 2) line
join product on product.id = 1 + (orders.id + 7 * line) % 100;

update orders
set total = (select sum(price) from order_line where order_id = orders.id);
