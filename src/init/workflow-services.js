import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { literal } from './fill-template.js';
import { portOfImage } from './known-images.js';
import { entriesOf, textOf } from './read.js';
import { variablesFor } from './workflow-variables.js';

/**
 * A database that a job of a workflow has beside it. outside: its port on the runner; port: the one in its container;
 * host: its name there.
 * @typedef {{ name: string, host: string, image: string, port: number, outside: number | null, env: Record<string, string> }} BesideService
 * What a job of GitHub has for the service: its databases, and the variables that lead to them. from: the file and the job.
 * @typedef {{ from: string, services: BesideService[], env: Record<string, string>, unsure: string[],
 *   migrates: boolean, lines: string[] }} WorkflowServices migrates: whether they lead to a database with tables, and surely to no
 *   other; lines: what its steps run
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
    const workflow = yamlOf(textOf(file) ?? '');
    for (const [id, job] of Object.entries(tableOf(workflow?.jobs))) {
      const from = `${relative(top, file).replaceAll('\\', '/')}, job ${id}`;
      const found = Object.keys(tableOf(job?.services)).length > 0 ? ofJob(workflow, job, from) : null;
      if (found !== null && found.services.length > 0) return found;
    }
  }
  return null;
}

/** @param {any} workflow @param {any} job @param {string} from @returns {WorkflowServices} */
function ofJob(workflow, job, from) {
  /** @type {string[]} */
  const unsure = [];
  /** @type {BesideService[]} */
  const services = [];
  for (const [name, written] of Object.entries(tableOf(job.services))) {
    const found = readService(name, written, unsure);
    if (found !== null) services.push({ ...found, name: numbered(found.name, services) });
  }
  const steps = [job.steps ?? []].flat().map((/** @type {any} */ step) => tableOf(step?.env));
  const env = Object.assign({}, ...steps.reverse(), tableOf(workflow.env), tableOf(job.env));
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

/** A step in another folder is not for the service's. @param {any} job @returns {string[]} */
const linesOf = (job) =>
  [job.steps ?? []]
    .flat()
    .filter((/** @type {any} */ step) => typeof step?.run === 'string' && step['working-directory'] === undefined)
    .flatMap((/** @type {any} */ step) => step.run.replace(/\\\n\s*/g, ' ').split('\n'));

/**
 * @param {string} name
 * @param {any} written
 * @param {string[]} unsure gets what is left out
 * @returns {BesideService | null} null: it is left out
 */
function readService(name, written, unsure) {
  const image = String(written?.image ?? '');
  const [outside, inside] = portsOf(written?.ports);
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

/** The first port that is published. @param {any} ports @returns {[number | null, number | null]} outside and inside */
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
  const free = (/** @type {string} */ one) => others.every((other) => other.name !== one);
  let unique = name;
  for (let number = 2; !free(unique); number += 1) unique = `${name}-${number}`;
  return unique;
}

/** @param {any} value @returns {Record<string, any>} */
const tableOf = (value) => (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {});

/** @param {string} text @returns {any} */
function yamlOf(text) {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
