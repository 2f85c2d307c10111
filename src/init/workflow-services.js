import { join, relative } from 'node:path';
import { literal } from './fill-template.js';
import { portOfImage } from './known-images.js';
import { entriesOf, tableOf, textOf, yamlOf } from './read-repository.js';
import { variablesFor } from './workflow-variables.js';

/**
 * A database that a job of a workflow has beside it. outside: its port on the runner; port: the one in its container;
 * host: its name there.
 * @typedef {{ name: string, host: string, image: string, port: number, outside: number | null, env: Record<string, string> }} BesideService
 * What a job of GitHub has for the service: its databases, and the variables that lead to them. from: the file and the job.
 * @typedef {{ from: string, services: BesideService[], env: Record<string, string>, unsure: string[],
 *   migrates: boolean, lines: string[] }} WorkflowServices migrates: whether they lead to a database with tables, and surely to no
 *   other; lines: what its steps run
 *
 * What is read of a job, of its steps and of its services.
 * @typedef {{ services?: unknown, env?: unknown, container?: unknown, steps?: unknown }} Job
 * @typedef {{ env?: unknown, run?: unknown, 'working-directory'?: unknown }} Step
 * @typedef {{ image?: unknown, ports?: unknown, env?: unknown, options?: unknown }} JobService
 */

/**
 * The databases of the first job that has some.
 * @param {string} top of the repository
 * @returns {WorkflowServices | null} null: there is no such job
 */
export function workflowServicesIn(top) {
  const folder = join(top, '.github', 'workflows');
  for (const { name } of entriesOf(folder).filter((entry) => /\.ya?ml$/.test(entry.name))) {
    const file = join(folder, name);
    const workflow = tableOf(yamlOf(textOf(file) ?? ''));
    for (const [id, written] of Object.entries(tableOf(workflow.jobs))) {
      /** @type {Job} */
      const job = tableOf(written);
      const from = `${relative(top, file).replaceAll('\\', '/')}, job ${id}`;
      const found = Object.keys(tableOf(job.services)).length > 0 ? ofJob(tableOf(workflow.env), job, from) : null;
      if (found !== null && found.services.length > 0) return found;
    }
  }
  return null;
}

/** @param {Record<string, unknown>} everywhere variables of the workflow @param {Job} job @param {string} from @returns {WorkflowServices} */
function ofJob(everywhere, job, from) {
  /** @type {string[]} */
  const unsure = [];
  /** @type {BesideService[]} */
  const services = [];
  for (const [name, written] of Object.entries(tableOf(job.services))) {
    const found = readService(name, tableOf(written), unsure);
    if (found !== null) services.push({ ...found, name: numbered(found.name, services) });
  }
  const ofSteps = stepsOf(job).map((step) => tableOf(step.env));
  const env = Object.assign({}, ...ofSteps.reverse(), everywhere, tableOf(job.env));
  const inside = job.container !== undefined; // then services are reached by their names, on their own ports
  const variables = variablesFor(services, env, inside);
  return {
    from,
    services,
    env: variables.env,
    migrates: variables.migrates,
    lines: linesOf(job),
    unsure: [...unsure, ...variables.unsure],
  };
}

/** @param {Job} job @returns {Step[]} */
const stepsOf = ({ steps }) => [steps ?? []].flat().map(tableOf);

/** A step in another folder is not for the service's. @param {Job} job @returns {string[]} */
const linesOf = (job) =>
  stepsOf(job)
    .filter((step) => typeof step.run === 'string' && step['working-directory'] === undefined)
    .flatMap(({ run }) =>
      String(run)
        .replace(/\\\n\s*/g, ' ')
        .split('\n'),
    );

/**
 * @param {string} name
 * @param {JobService} written
 * @param {string[]} unsure gets what is left out
 * @returns {BesideService | null} null: it is left out
 */
function readService(name, written, unsure) {
  const image = String(written.image ?? '');
  const [outside, inside] = portsOf(written.ports);
  const port = inside ?? portOfImage(image);
  if (image === '' || image.includes('${{') || port === null) {
    unsure.push(
      `${name} of the workflow is not started: ${image.includes('${{') ? 'its image is only known there' : 'no port of it is known'}`,
    );
    return null;
  }
  const all = Object.entries(tableOf(written.env)).map(([key, value]) => /** @type {const} */ ([key, String(value)]));
  const later = all.filter(([, value]) => value.includes('${{')).map(([key]) => key);
  if (later.length > 0)
    unsure.push(`${later.join(', ')} of ${name} is only known on GitHub: write a value into its \`env\``);
  const options = String(written.options ?? '')
    .replace(/--health-[\w-]+[\s=]*("[^"]*"|'[^']*'|[^\s"'-]\S*)?/g, '')
    .trim();
  if (options !== '')
    unsure.push(
      `options of ${name} are left out, for \`options\` of its \`container\`: ${options.replace(/\s+/g, ' ')}`,
    );
  const env = Object.fromEntries(
    all.filter(([, value]) => !value.includes('${{')).map(([key, value]) => [key, literal(value)]),
  );
  return { name: ownName(name), host: name, image: literal(image), port, outside, env };
}

/** The first port that is published. @param {unknown} ports @returns {[number | null, number | null]} outside and inside */
function portsOf(ports) {
  const [, outside, inside] =
    /^(?:\d+(?:\.\d+){3}:)?(?:(\d+):)?(\d+)(?:\/tcp)?$/.exec(String([ports ?? []].flat()[0] ?? '')) ?? [];
  return [outside ? Number(outside) : null, inside ? Number(inside) : null];
}

/** A name that a service of a spec may have, and that is not the one of ours. @param {string} name */
function ownName(name) {
  const plain =
    name
      .replace(/[^\w-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 50) || 'service';
  return plain === 'app' ? 'app-service' : plain;
}

/** Names that differ there may be the same here. @param {string} name @param {BesideService[]} others */
function numbered(name, others) {
  const free = (/** @type {string} */ candidate) => others.every((other) => other.name !== candidate);
  let unique = name;
  for (let number = 2; !free(unique); number += 1) unique = `${name}-${number}`;
  return unique;
}
