import { indexAnnotation } from './manifests.js';

/** A pod as the API has it, as much of it as is read here. */
type Reason = { reason?: string; message?: string };

export type Condition = Reason & { type: string; status: string };

type ContainerState = {
  terminated?: Reason & { exitCode: number; signal?: number };
  waiting?: Reason & { reason: string };
  running?: object;
};

type Container = { state?: ContainerState; restartCount?: number };

export type Pod = {
  metadata: { name: string; uid: string; annotations?: Record<string, string>; deletionTimestamp?: string };
  spec?: { nodeName?: string };
  status?: Reason & { phase?: string; conditions?: Condition[]; containerStatuses?: Container[] };
};

/** Why a container that waits will not start by waiting longer. */
const hopeless = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'CrashLoopBackOff',
]);

/** Which of the Job's pods it is, from 0 on. */
export const indexOf = ({ metadata }: Pod): number => Number(metadata.annotations?.[indexAnnotation] ?? Number.NaN);

const containerOf = ({ status }: Pod) => status?.containerStatuses?.[0];

/** Whether its container has ended, in whichever way. */
export const hasEnded = (pod: Pod) =>
  containerOf(pod)?.state?.terminated !== undefined || ['Failed', 'Succeeded'].includes(pod.status?.phase ?? '');

/**
 * Why a pod makes no load, or not all of it.
 * @returns null: nothing is wrong with it
 */
export function podFailure(pod: Pod): string | null {
  const { metadata, status = {} } = pod;
  const name = nameOf(pod);
  const { state = {}, restartCount = 0 } = containerOf(pod) ?? {};
  const disrupted = status.conditions?.find(({ type, status: is }) => type === 'DisruptionTarget' && is === 'True');
  if (status.phase === 'Failed' && status.reason) return `${name} was ended: ${sentence(status)}`;
  if (disrupted) return `${name} was ended: ${sentence(disrupted)}`;
  if (metadata.deletionTimestamp) return wasDeleted(pod);
  if (restartCount > 0) return `${name} was restarted`;
  const { terminated, waiting } = state;
  if (terminated && (terminated.exitCode !== 0 || terminated.signal)) {
    return `${name} ended with ${how(terminated)}`;
  }
  if (waiting && hopeless.has(waiting.reason)) return `${name} cannot start: ${sentence(waiting)}`;
  return status.phase === 'Failed' ? `${name} failed` : null;
}

/**
 * Why a pod makes no load: it is not there any more, or there is something wrong with it.
 * @param now existing ones
 * @param pod as it was
 */
export function failureAmong(now: readonly Pod[], pod: Pod): string | null {
  const found = sameIn(now, pod);
  return found ? podFailure(found) : `pod ${pod.metadata.name} is gone: was it deleted, or its node lost?`;
}

/**
 * Whether a pod is on its way out.
 * @param pod as it was
 */
export const isDeleted = (now: readonly Pod[], pod: Pod) => sameIn(now, pod)?.metadata.deletionTimestamp !== undefined;

/** Another of its name is another pod. */
const sameIn = (now: readonly Pod[], pod: Pod) => now.find(({ metadata }) => metadata.uid === pod.metadata.uid);

export const wasDeleted = (pod: Pod): string => `${nameOf(pod)} was deleted`;

/** @returns with its node, if it has one */
const nameOf = ({ metadata, spec }: Pod): string =>
  `pod ${metadata.name}${spec?.nodeName ? ` on ${spec.nodeName}` : ''}`;

const sentence = ({ reason, message }: Reason) => [reason, message].filter(Boolean).join(', ');

function how({ exitCode, signal, reason }: NonNullable<ContainerState['terminated']>) {
  const why = reason === 'OOMKilled' ? ' (it took more memory than its limit)' : '';
  if (signal) return `signal ${signal}${why}`;
  return exitCode > 128 ? `signal ${exitCode - 128}${why}` : `exit code ${exitCode}${why}`;
}

/**
 * The reason why a pod is not ready.
 * @returns for people
 */
export function waitsFor(pod: Pod): string {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return `no node takes it: ${sentence(scheduled)}`;
  const { waiting, running } = containerOf(pod)?.state ?? {};
  if (waiting) return `its container waits: ${sentence(waiting)}`;
  return running ? 'k6 does not answer' : `it is ${pod.status?.phase ?? 'not there'}`;
}
