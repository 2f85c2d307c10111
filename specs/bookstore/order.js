// The write-up's user: logs in, looks at the orders, makes one with three lines, saves it and logs out, over and over.
import { sleep } from 'k6';
import exec from 'k6/execution';
import { bench } from '../../.bench/benchfolio/k6/script.js';

export const { options, handleSummary } = bench;

const { clickPeriodAvg, clickPeriodDev, loginWait, logoutWaitAvg, logoutWaitDev } = bench.parameters;

// Each ends the iteration when its answer is not as expected, as the test plan does.
const openLogin = get('/login', 'Please sign in', { capture: { csrf: csrf() } });
// Spring Security gives the session a new token when somebody logs in.
const credentials = { username: 'hikari', password: 'hikari' };
const logIn = post('/login', credentials, page('Bookstore'), { capture: { csrf: csrf() } });
const openOrders = get('/orders', page('Orders'));
const loadOrders = get('/orders/rows', '<table>');
const createOrder = post('/order/create', {}, page('New order'));
const loadCustomers = get('/order/customers', '<option');
const selectCustomer = post('/order/customer', { customer: '${captured.customer}' }, '<b>Customer');
const createLine = get('/order/line', page('Order line'));
const selectProduct = post('/order/line/product', { product: '${captured.product}' }, '<b>Book');
const confirmLine = post('/order/line', {}, page('New order'));
const saveOrder = post('/order', {}, page('Orders'));
const logOut = post('/logout', {}, 'Please sign in');

export default bench.iteration(({ captured }) => {
  const user = exec.vu.idInTest;
  captured.customer = 1 + (user % 10);

  openLogin();
  pause(loginWait);
  logIn();
  click();
  bench.group('list view', () => {
    openOrders();
    loadOrders();
  });
  click();
  bench.group('detail view', () => {
    createOrder();
    loadCustomers();
  });
  click();
  selectCustomer();
  for (let line = 1; line <= 3; line += 1) {
    captured.product = 1 + ((user + line) % 100);
    click();
    createLine();
    click();
    selectProduct();
    click();
    confirmLine();
  }
  click();
  bench.group('save order', () => {
    saveOrder();
    loadOrders();
  });
  pause(logoutWaitAvg, logoutWaitDev);
  logOut();
});

/** @param {string} path @param {string} body what it contains @param {object} [more] keys of a request */
function get(path, body, more) {
  return bench.request({ get: path, expect: { body }, on_error: 'abandon', ...more });
}

/** Sends a form; Spring Security wants the session's token in it. Redirects are followed: the view is the answer. */
function post(path, form, body, more) {
  const fields = { _csrf: '${captured.csrf}', ...form };
  return bench.request({ post: path, body: { form: fields }, expect: { body }, on_error: 'abandon', ...more });
}

/** @param {string} title */
function page(title) {
  return `<h1>${title}</h1>`;
}

function csrf() {
  return { regex: 'name="_csrf"[^>]* value="([^"]+)"' };
}

function click() {
  pause(clickPeriodAvg, clickPeriodDev);
}

/** @param {number} average ms @param {number} [deviation] the most it is off the average, ms */
function pause(average, deviation = 0) {
  sleep((average + deviation * (2 * Math.random() - 1)) / 1000);
}
