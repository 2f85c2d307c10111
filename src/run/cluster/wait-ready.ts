import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../../base/format.js';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import type { Run } from '../run-context.js';
import { isPaused } from './k6-status.js';
import type { Client } from './kubernetes-client.js';
import { type Condition, indexOf, type Pod, podFailure, waitsFor } from './pod-state.js';
import { frameReader } from './results-frame.js';

/** Milliseconds between two looks: a hundred pods are a megabyte of JSON. */
const look_ms = 250;

/**
 * Where the pods of a Job are.
 * @param job its name
 */
export const podsPath = (job: string) => `core/pods?labelSelector=job-name%3D${job}`;

/**
 * The pods of a Job, by their index.
 * @param job its name
 */
export async function podsOf(client: Client, job: string): Promise<Pod[]> {
  const { items } = await client.get(podsPath(job));
  return items.sort((a: Pod, b: Pod) => indexOf(a) - indexOf(b));
}

/**
 * Waits until each of a Job's pods has loaded its part and waits for the start.
 * @returns by index
 * @throws {CaseFailure | Interrupted} one cannot start, or time is up
 */
export async function waitUntilReady(
  client: Client,
  { job, parallelism, timeout_s }: { job: string; parallelism: number; timeout_s: number },
  run: Pick<Run, 'interrupt'>,
): Promise<Pod[]> {
  const until = performance.now() + timeout_s * 1000;
  const ready: Set<string> = new Set();
  let pods: Pod[] = [];
  while (performance.now() < until) {
    if (run.interrupt.asked) throw new Interrupted();
    pods = await podsOf(client, job);
    const failure = pods.map(podFailure).find((reason) => reason !== null);
    if (failure) throw await withLastWords(failure, client, pods);
    await Promise.all(
      pods.map(async ({ metadata: { name }, status }) => {
        if (status?.phase === 'Running' && !ready.has(name) && (await isPaused(client, name))) ready.add(name);
      }),
    );
    if (ready.size === parallelism && pods.length === parallelism) return pods;
    await jobFailure(client, job, pods);
    await sleep(look_ms);
  }
  const waiting = pods.filter(({ metadata }) => !ready.has(metadata.name));
  const first = waiting[0] ? `; ${waiting[0].metadata.name}: ${waitsFor(waiting[0])}` : '';
  const why = pods.length < parallelism ? `; the cluster made ${counted(pods.length, 'pod')}` : first;
  throw new CaseFailure(`${ready.size} of ${counted(parallelism, 'pod')} were ready after ${timeout_s} s${why}`, {
    hint: 'Is there room for all of them? start_timeout says how long they may take.',
  });
}

/** @throws {CaseFailure} the Job failed without a pod to say why */
async function jobFailure(client: Client, job: string, pods: readonly unknown[]) {
  if (pods.length > 0) return;
  const { status } = await client.get(`batch/jobs/${job}`);
  const failed = status?.conditions?.find(({ type, status: is }: Condition) => type === 'Failed' && is === 'True');
  if (failed) throw new CaseFailure(`the Job ${job} failed: ${failed.reason}, ${failed.message}`);
}

/**
 * @param failure of a pod
 * @returns with what the first that failed says of it
 */
async function withLastWords(failure: string, client: Client, pods: readonly Pod[]): Promise<CaseFailure> {
  const failed = pods.find((pod) => podFailure(pod) !== null);
  try {
    const text = String(await client.send('GET', `core/pods/${failed?.metadata.name}/log?tailLines=20`)).trim();
    const reader = frameReader();
    for (const line of text.split('\n')) reader.read(line);
    const { failure: said } = reader.frame();
    return new CaseFailure(said === null ? failure : `${failure}: ${said}`, { detail: text || undefined });
  } catch {
    return new CaseFailure(failure); // its container never ran
  }
}
