// The same, naming its request as k6's documentation does.
import http from 'k6/http';

const url = `${__ENV.BASE_URL}/`;

export default () => http.get(url, { tags: { name: 'GET /' } });
