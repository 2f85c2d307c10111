import { join, relative } from 'node:path';
import { literal } from './fill-template.js';
import { portOfImage } from './known-images.js';
import { entriesOf, tableOf, textOf, yamlOf } from './read-repository.js';
import { variablesFor } from './workflow-variables.js';

/**
 * A database that a job of a workflow has beside it. outside: its port on the runner; port: the one in its container;
 * host: its name there.
 * What a job of GitHub has for the service: its databases, and the variables that lead to them. from: the file and the job.
 */
export type BesideService = {
  name: string;
  host: string;
  image: string;
  port: number;
  outside: number | null;
  env: Record<string, string>;
};

/** migrates: whether they lead to a database with tables, and surely to no other; lines: what its steps run */
export type WorkflowServices = {
  from: string;
  services: BesideService[];
  env: Record<string, string>;
  unsure: string[];
  migrates: boolean;
  lines: string[];
};

/** What is read of a job, of its steps and of its services. */
type Job = { services?: unknown; env?: unknown; container?: unknown; steps?: unknown };

type Step = { env?: unknown; run?: unknown; 'working-directory'?: unknown };

type JobService = { image?: unknown; ports?: unknown; env?: unknown; options?: unknown };

/**
 * The databases of the first job that has some.
 * @param top of the repository
 * @returns null: there is no such job
 */
export function workflowServicesIn(top: string): WorkflowServices | null {
  const folder = join(top, '.github', 'workflows');
  for (const { name } of entriesOf(folder).filter((entry) => /\.ya?ml$/.test(entry.name))) {
    const file = join(folder, name);
    const workflow = tableOf(yamlOf(textOf(file) ?? ''));
    for (const [id, written] of Object.entries(tableOf(workflow.jobs))) {
      const job: Job = tableOf(written);
      const from = `${relative(top, file).replaceAll('\\', '/')}, job ${id}`;
      const found = Object.keys(tableOf(job.services)).length > 0 ? ofJob(tableOf(workflow.env), job, from) : null;
      if (found !== null && found.services.length > 0) return found;
    }
  }
  return null;
}

/** @param everywhere variables of the workflow */
function ofJob(everywhere: Record<string, unknown>, job: Job, from: string): WorkflowServices {
  const unsure: string[] = [];
  const services: BesideService[] = [];
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

const stepsOf = ({ steps }: Job): Step[] => [steps ?? []].flat().map(tableOf);

/** A step in another folder is not for the service's. */
const linesOf = (job: Job): string[] =>
  stepsOf(job)
    .filter((step) => typeof step.run === 'string' && step['working-directory'] === undefined)
    .flatMap(({ run }) =>
      String(run)
        .replace(/\\\n\s*/g, ' ')
        .split('\n'),
    );

/**
 * @param unsure gets what is left out
 * @returns null: it is left out
 */
function readService(name: string, written: JobService, unsure: string[]): BesideService | null {
  const image = String(written.image ?? '');
  const [outside, inside] = portsOf(written.ports);
  const port = inside ?? portOfImage(image);
  if (image === '' || image.includes('${{') || port === null) {
    unsure.push(
      `${name} of the workflow is not started: ${image.includes('${{') ? 'its image is only known there' : 'no port of it is known'}`,
    );
    return null;
  }
  const all = Object.entries(tableOf(written.env)).map(([key, value]) => [key, String(value)] as const);
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

/**
 * The first port that is published.
 * @returns outside and inside
 */
function portsOf(ports: unknown): [number | null, number | null] {
  const [, outside, inside] =
    /^(?:\d+(?:\.\d+){3}:)?(?:(\d+):)?(\d+)(?:\/tcp)?$/.exec(String([ports ?? []].flat()[0] ?? '')) ?? [];
  return [outside ? Number(outside) : null, inside ? Number(inside) : null];
}

/** A name that a service of a spec may have, and that is not the one of ours. */
function ownName(name: string) {
  const plain =
    name
      .replace(/[^\w-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 50) || 'service';
  return plain === 'app' ? 'app-service' : plain;
}

/** Names that differ there may be the same here. */
function numbered(name: string, others: BesideService[]) {
  const free = (candidate: string) => others.every((other) => other.name !== candidate);
  let unique = name;
  for (let number = 2; !free(unique); number += 1) unique = `${name}-${number}`;
  return unique;
}
