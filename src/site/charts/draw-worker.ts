import { parentPort, workerData } from 'node:worker_threads';
import { drawLabelled } from './draw.js';
import { keepPicture, textOf } from './svg-cache.js';

parentPort?.on('message', async ({ name, vega, data }) => {
  const drawn = await drawLabelled(vega, JSON.parse(data));
  keepPicture(workerData, name, drawn.svg, textOf(drawn.data));
  parentPort?.postMessage(name);
});
