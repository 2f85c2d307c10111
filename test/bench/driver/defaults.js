// The shortest script with k6's own options.
import http from 'k6/http';

export const options = { vus: 8, duration: '120s' };

export default function () {
  http.get(`${__ENV.BASE_URL}/`);
}
