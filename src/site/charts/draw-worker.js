import { parentPort } from 'node:worker_threads';
import { draw } from './draw.js';

parentPort?.on('message', async ({ vega, data }) => {
  parentPort?.postMessage(await draw(vega, JSON.parse(data)));
});
