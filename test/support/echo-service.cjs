// A service that echoes: HTTP and WebSockets on PORT, gRPC on GRPC, where Deny is denied (7). DELAY: milliseconds before each answer.
const http = require('node:http'), http2 = require('node:http2'), crypto = require('node:crypto');
const delay = Number(process.env.DELAY );
const later = (f) => (delay ? setTimeout(f, delay) : f());
const server = http.createServer((q, r) => later(() => r.end('ok')));
server.on('upgrade', (request, socket) => {
  const accept = crypto.createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ' + accept + '\r\n\r\n');
  let buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      if (buffer.length < 6) return;
      const length = buffer[1] & 127;
      if (buffer.length < 6 + length) return;
      const opcode = buffer[0] & 15, mask = buffer.subarray(2, 6), payload = Buffer.from(buffer.subarray(6, 6 + length));
      for (let i = 0; i < length; i++) payload[i] ^= mask[i % 4];
      buffer = buffer.subarray(6 + length);
      if (opcode === 8) { socket.end(Buffer.from([0x88, payload.length, ...payload])); return; }
      if (opcode === 1) later(() => socket.write(Buffer.concat([Buffer.from([0x81, payload.length]), payload])));
    }
  });
});
server.listen(process.env.PORT, '127.0.0.1');
if (process.env.GRPC) http2.createServer().on('stream', (stream, headers) => {
  const chunks = [];
  stream.on('data', (c) => chunks.push(c));
  stream.on('end', () => later(() => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': headers[':path'].endsWith('/Deny') ? '7' : '0' }));
    stream.end(Buffer.concat(chunks)); // echoes
  }));
}).listen(process.env.GRPC, '127.0.0.1');
