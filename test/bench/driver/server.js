// The target of the driver's benchmark: answers every request from one prepared buffer, so that the generators beside
// it are busy and not waiting. A process of its own, on a core of its own. Counts answers by port: a generator has one.
import { createServer } from 'node:net';

/** @import { AddressInfo } from 'node:net' */

const bodies = { '/': 'hello, world!', '/json': '{"id":7,"ok":true}' };
const answers = new Map(
  Object.entries(bodies).map(([path, body]) => [
    path,
    Buffer.from(
      [
        'HTTP/1.1 200 OK',
        `Content-Type: ${path === '/' ? 'text/plain' : 'application/json'}`,
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    ),
  ]),
);

/** @type {number[]} */
const counts = [];

for (const index of process.argv.slice(2).keys()) {
  counts[index] = 0;
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      // k6 sends a request in one piece and waits for the answer, so a chunk is a request unless its body comes later
      const text = chunk.toString('latin1', 0, 256);
      if (!text.includes(' HTTP/1.1')) return;
      const path = text.slice(text.indexOf(' ') + 1, text.indexOf(' HTTP/1.1')).replace(/\?.*$/, '');
      counts[index] += 1;
      socket.write(answers.get(path) ?? /** @type {Buffer} */ (answers.get('/')));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = /** @type {AddressInfo} */ (server.address());
    process.send?.({ index, port });
  });
}

process.on('message', () => process.send?.({ counts: [...counts] }));
process.on('disconnect', () => process.exit());
