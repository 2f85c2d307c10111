// s3proxy 4 in Express 5, as its README has it: each path is a key of the bucket.
import express from 'express';
import { S3Proxy } from 's3proxy';

const { PORT, S3_ENDPOINT, BUCKET } = process.env;

const proxy = new S3Proxy({ bucket: BUCKET, endpoint: S3_ENDPOINT, forcePathStyle: true });
await proxy.init();

const app = express();
app.get('/health', async (_request, response) => {
  await proxy.healthCheck();
  response.end();
});
app.get('/*splat', proxy.middleware()); // HEAD as well

const server = app.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => {
  server.close(() => process.exit()); // the SDK keeps its connections to S3 open
  server.closeAllConnections();
});
