import { setTimeout as sleep } from 'node:timers/promises';
import { parseDuration } from '../../suite/cases/cases.js';
import type { Client } from './kubernetes-client.js';
import { container } from './manifests.js';
import { hasEnded } from './pod-state.js';
import { frameReader } from './results-frame.js';

/** k6 prints it each second, and at the end. */
const progressLine = /^running \(([\dhm.]+s)\).* (\d+) complete and (\d+) interrupted iterations/;

/** Milliseconds between the end of a connection and the next. */
const pause_ms = 500;

/**
 * Follows what a pod prints until it has ended. Where the connection breaks the log is read again from its start.
 * @param pod its name
 * @param given print: gets what is for people
 */
export function followPod(
  client: Client,
  pod: string,
  {
    signal,
    print,
    onSecond,
  }: { signal: AbortSignal; print: (line: string) => void; onSecond: (seconds: number) => void },
) {
  let reader = frameReader();
  let iterations = { complete: 0, interrupted: 0 };
  let printed = 0;
  const once = async () => {
    reader = frameReader();
    let lines = 0;
    const onLine = (line: string) => {
      if (reader.read(line)) return;
      lines += 1;
      if (lines <= printed) return;
      printed = lines;
      const [, time, complete, interrupted] = line.match(progressLine) ?? [];
      if (time === undefined) return print(line);
      iterations = { complete: Number(complete), interrupted: Number(interrupted) };
      onSecond(parseDuration(time));
    };
    await client.follow(`core/pods/${pod}/log?container=${container}&follow=true`, { onLine, signal });
  };
  const whole = () => reader.frame().state === 'whole' || reader.frame().failure !== null;
  const ended = (async () => {
    while (!signal.aborted && !whole()) {
      const before = await endedBefore(client, pod);
      await once().catch(() => {});
      if (before) return; // all that it printed was there to be read
      if (!whole()) await sleep(pause_ms, null, { signal }).catch(() => {});
    }
  })();
  return { pod, ended, frame: () => reader.frame(), iterations: () => iterations };
}

async function endedBefore(client: Client, pod: string) {
  try {
    return hasEnded(await client.get(`core/pods/${pod}`));
  } catch {
    return true; // it is not there any more: nor is its log
  }
}
