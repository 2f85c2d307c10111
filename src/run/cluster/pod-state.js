import { indexAnnotation } from './manifests.js';

/**
 * A pod as the API has it, as much of it as is read here.
 * @typedef {{ reason?: string, message?: string }} Reason
 * @typedef {Reason & { type: string, status: string }} Condition
 * @typedef {{ terminated?: Reason & { exitCode: number, signal?: number }, waiting?: Reason & { reason: string },
 *   running?: object }} ContainerState
 * @typedef {{ state?: ContainerState, restartCount?: number }} Container
 * @typedef {{ metadata: { name: string, uid: string, annotations?: Record<string, string>, deletionTimestamp?: string },
 *   spec?: { nodeName?: string },
 *   status?: Reason & { phase?: string, conditions?: Condition[], containerStatuses?: Container[] } }} Pod
 */

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

/** Which of the Job's pods it is, from 0 on. @param {Pod} pod @returns {number} */
export const indexOf = ({ metadata }) => Number(metadata.annotations?.[indexAnnotation] ?? Number.NaN);

/** @param {Pod} pod */
const containerOf = ({ status }) => status?.containerStatuses?.[0];

/** Whether its container has ended, in whichever way. @param {Pod} pod */
export const hasEnded = (pod) =>
  containerOf(pod)?.state?.terminated !== undefined || ['Failed', 'Succeeded'].includes(pod.status?.phase ?? '');

/**
 * Why a pod makes no load, or not all of it.
 * @param {Pod} pod
 * @returns {string | null} null: nothing is wrong with it
 */
export function podFailure(pod) {
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
 * @param {readonly Pod[]} now those that there are
 * @param {Pod} pod as it was
 * @returns {string | null}
 */
export function failureAmong(now, pod) {
  const found = sameIn(now, pod);
  return found ? podFailure(found) : `pod ${pod.metadata.name} is gone: was it deleted, or its node lost?`;
}

/** Whether a pod is on its way out. @param {readonly Pod[]} now @param {Pod} pod as it was */
export const isDeleted = (now, pod) => sameIn(now, pod)?.metadata.deletionTimestamp !== undefined;

/** Another of its name is another pod. @param {readonly Pod[]} now @param {Pod} pod */
const sameIn = (now, pod) => now.find(({ metadata }) => metadata.uid === pod.metadata.uid);

/** @param {Pod} pod @returns {string} */
export const wasDeleted = (pod) => `${nameOf(pod)} was deleted`;

/** @param {Pod} pod @returns {string} with its node, if it has one */
const nameOf = ({ metadata, spec }) => `pod ${metadata.name}${spec?.nodeName ? ` on ${spec.nodeName}` : ''}`;

/** @param {Reason} said */
const sentence = ({ reason, message }) => [reason, message].filter(Boolean).join(', ');

/** @param {NonNullable<ContainerState['terminated']>} terminated */
function how({ exitCode, signal, reason }) {
  const why = reason === 'OOMKilled' ? ' (it took more memory than its limit)' : '';
  if (signal) return `signal ${signal}${why}`;
  return exitCode > 128 ? `signal ${exitCode - 128}${why}` : `exit code ${exitCode}${why}`;
}

/**
 * What a pod that is not ready waits for.
 * @param {Pod} pod
 * @returns {string} for people
 */
export function waitsFor(pod) {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return `no node takes it: ${sentence(scheduled)}`;
  const { waiting, running } = containerOf(pod)?.state ?? {};
  if (waiting) return `its container waits: ${sentence(waiting)}`;
  return running ? 'k6 does not answer' : `it is ${pod.status?.phase ?? 'not there'}`;
}
