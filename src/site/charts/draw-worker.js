import { parentPort, workerData } from 'node:worker_threads';
import { draw } from './draw.js';
import { keepPicture } from './svg-cache.js';

parentPort?.on('message', async ({ name, vega, data }) => {
  keepPicture(workerData, name, await draw(vega, JSON.parse(data)), data);
  parentPort?.postMessage(name);
});
