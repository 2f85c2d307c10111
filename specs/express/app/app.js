// The service of the write-up: a greeting, and a request that costs what the caller asks for.
import express from 'express';

const app = express();

// Loops of work added to each request: how `benchfolio calibrate` makes the service slower by a size that is known.
const added = Number(process.env.ADDED_LOOPS ?? 0);
let kept = 0; // so that the work is not optimized away
if (added > 0) {
  app.use((_request, _response, next) => {
    for (let i = 0; i < added; i += 1) kept = (kept * 31 + i) | 0;
    next();
  });
}

app.get('/hello', (_request, response) => {
  response.type('text/plain').send('Hello World');
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
