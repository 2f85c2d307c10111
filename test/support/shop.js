// A system of one service.

/** Its spec: the service is server.cjs beside it, and scenarios come after it. */
export const shop = `title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
command = ["node", "server.cjs"]
env = { PORT = "\${port}" }
ready = "http://127.0.0.1:\${port}/"
`;

/** A service that answers every request with "ok". */
const answersOk = `require('node:http').createServer((request, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1');\n`;

/**
 * A suite with it.
 * @param {string} scenarios TOML
 * @returns {Record<string, string>} path: text
 */
export const shopFiles = (scenarios) => ({
  'bench.toml': '[run]\nrounds = 1\n',
  'specs/shop/spec.toml': shop + scenarios,
  'specs/shop/server.cjs': answersOk,
});
