// The service of the write-up: a greeting, and a request that costs what the caller asks for.
import express from 'express';
import { addedErrors, addedWork, greeting } from './changes.js';

const app = express();

for (const handler of [addedWork, addedErrors]) if (handler) app.use(handler);

const hello = greeting('Hello World');
app.get('/hello', (_request, response) => {
  if (typeof hello === 'string') response.type('text/plain');
  response.send(hello);
});

// cpuTime: milliseconds of work on the event loop; sleepTime: milliseconds of waiting, as for a database.
app.get('/load', (request, response) => {
  const cpuTime = Number(request.query.cpuTime);
  const sleepTime = Number(request.query.sleepTime);
  if (!(cpuTime >= 0) || !(sleepTime >= 0)) {
    response.status(400).type('text/plain').send('cpuTime and sleepTime are needed, in milliseconds');
    return;
  }
  work(cpuTime);
  const answer = () => response.type('text/plain').send('done');
  // A timer of no time would hold the answer back until the work of all requests that have arrived is done.
  if (sleepTime === 0) answer();
  else setTimeout(answer, sleepTime);
});

/** Keeps the event loop busy. @param {number} milliseconds */
function work(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', (error) => {
  if (error) throw error;
  process.send?.({ port: server.address().port }); // to cluster.js
});
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
