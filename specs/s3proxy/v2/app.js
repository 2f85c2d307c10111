// s3proxy 2 in Express 4, as its own example (examples/express-basic.js) has it, without the log of requests.
import express from 'express';
import S3Proxy from 's3proxy';

const { PORT, S3_ENDPOINT, BUCKET } = process.env;

const proxy = new S3Proxy({ bucket: BUCKET, endpoint: S3_ENDPOINT, forcePathStyle: true });
await proxy.init();

const app = express();
app.use(dropLengthOfErrors);
app.get(
  '/health',
  serve((_request, response) => proxy.healthCheckStream(response)),
);
app
  .route('/*')
  .head(serve((request, response) => proxy.head(request, response)))
  .get(serve((request, response) => proxy.get(request, response)));

const server = app.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => {
  server.close(() => process.exit()); // the SDK keeps its connections to S3 open
  server.closeAllConnections();
});

/**
 * @param {(request: express.Request, response: express.Response) => Promise<import('node:stream').Readable>} open
 * @returns {express.RequestHandler}
 */
function serve(open) {
  return async (request, response, next) => {
    try {
      const stream = await open(request, response);
      stream.on('error', () => response.end()).pipe(response);
    } catch (error) {
      next(error);
    }
  };
}

/**
 * s3proxy 2 passes the headers of an error on, but not its body. S3 sends errors in chunks; the gateway here says how
 * long they are, and a client would wait for bytes that never come.
 * @type {express.RequestHandler}
 */
function dropLengthOfErrors(_request, response, next) {
  const { writeHead } = response;
  response.writeHead = (status, headers) => {
    if (status >= 400) delete headers['content-length'];
    return writeHead.call(response, status, headers);
  };
  next();
}
