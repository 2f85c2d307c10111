// The shortest script by hand: one request, and no look at the answer. Its options come from the command line.
import http from 'k6/http';

const url = `${__ENV.BASE_URL}/`;

export default () => http.get(url);
