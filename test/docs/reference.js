// Makes the pages of site/content/docs/reference from their sources: the options of the commands, the JSON Schemas, the table
// of metrics, action.yml. test/docs/reference.test.js compares the files with them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { verbs } from '../../dist/cli/cli.js';
import { executors } from '../../dist/suite/cases/executors.js';
import { metricsTable } from '../../dist/suite/cases/record-metrics.js';
import { root } from '../support/cli.js';
import { anchorOf, markdown } from './markdown.js';
import { tablesOf } from './schema.js';
import { thresholdName } from './threshold-names.js';

/** @import { Option } from 'commander' */
/** @import { RecordMetric } from '../../dist/suite/cases/record-metrics.js' */
/** @import { KeyTable } from './schema.js' */

const textOf = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');

/** @returns {Promise<Record<string, string>>} the text of each page by its name */
export async function referencePages() {
  return {
    'commands.md': await commandsPage(),
    'spec.md': schemaPage('specs/spec.schema.json', {
      title: 'Keys of a spec',
      about:
        'The keys of `specs/<system>/spec.toml`. Editors with TOML support show the same, and `npx benchfolio check` finds errors. Every number can also be a placeholder like `"${rate}"`. Each executor has [its own keys](#scenariosname).',
      more: { 'scenarios.<name>': executorsText() },
    }),
    'bench.md': schemaPage('specs/bench.schema.json', {
      title: 'Keys of bench.toml',
      about: 'The settings of all specs of a repository. Every key is optional.',
    }),
    'record.md': schemaPage('reports/schema/record.schema.json', {
      json: true,
      title: 'Record format',
      about:
        'A record is the result of one case, a JSON file of at most 64 kB: `reports/versions/<version>/<system>/<environment>/<case>.json`. Benchfolio writes it once and never changes it. The page of a record links to the file.',
    }),
    'metrics.md': metricsPage(),
    'action.md': actionPage(),
  };
}

/** @param {{ title: string, about: string, body: string }} page contents: with a list of its headings */
const page = ({ title, about, body }) =>
  `+++\ntitle = ${JSON.stringify(title)}\n[params]\ncontents = true\n+++\n<!-- Made by test/docs/reference.js. -->\n\n${about}\n\n${body.trim()}\n`;

/** @param {string} path @param {{ title: string, about: string, json?: boolean, more?: Record<string, string> }} of json: and not TOML; more: what
 * goes after the keys of a table, by its path */
const schemaPage = (path, { json = false, more = {}, ...about }) =>
  page({
    ...about,
    body: tablesOf(JSON.parse(textOf(path)))
      .flatMap((table) => [tableText(table, json), more[table.path] ?? []].flat())
      .join('\n\n'),
  });

/** What `check` knows of them. */
function executorsText() {
  const named = (/** @type {string[]} */ keys) => keys.map((key) => `\`${key}\``).join(', ');
  const lines = Object.entries(executors).map(
    ([name, { required, optional }]) => `| \`${name}\` | ${named(required)} | ${named(optional)} |`,
  );
  return [
    'Each executor has its own keys, and `gracefulStop`; `check` rejects the others.',
    '',
    '| executor | required keys | optional keys |',
    '| --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** @param {KeyTable} table @param {boolean} json */
function tableText({ path, depth, list, text, keys }, json) {
  const heading = depth === 0 ? '' : `${'#'.repeat(Math.min(depth + 1, 4))} \`${path}\``;
  const about = depth === 0 ? '' : `${list && !json ? `Each \`[[${path}]]\`. ` : ''}${markdown(text)}`.trim();
  return [heading, about, keys.map((key) => keyText(key, json)).join('\n')].filter(Boolean).join('\n\n');
}

/** @param {KeyTable['keys'][number]} key @param {boolean} json what is there in most, is not said of each */
function keyText({ name, required, facts, text, to }, json) {
  const term = to ? `[\`${name}\`](#${anchorOf(to)})` : `\`${name}\``;
  const presence = json ? !required && 'optional' : required && 'required';
  const inBrackets = [presence, markdown(json ? facts.replaceAll('a table', 'an object') : facts)]
    .filter(Boolean)
    .join('; ');
  return `- **${term}**${inBrackets && ` (${inBrackets})`}${text && `: ${markdown(text)}`}`;
}

/** In the order in which `benchfolio --help` has them. */
async function commandsPage() {
  const program = new Command('benchfolio');
  for (const verb of verbs) {
    (await import(`../../dist/cli/commands/${verb}.js`)).register(program, /** @type {any} */ ({ env: {}, cwd: root }));
  }
  return page({
    title: 'Commands',
    about:
      'The commands in the order of use. `npx benchfolio <command> --help` prints the same.\n\nExit codes: 0 pass; 1 a threshold missed or a metric worse; 2 wrong usage or spec; 3 invalid or inconclusive; 4 a tool or service failed; 130 stopped by Ctrl-C or a signal.',
    body: program.commands.map(commandText).join('\n\n'),
  });
}

/** @param {Command} command */
function commandText(command) {
  const description = command.description();
  const [, help = ''] = /-h, --help +display help for command\n([\s\S]*)$/.exec(helpOf(command)) ?? [];
  return [
    `## ${command.name()}`,
    `${description[0].toUpperCase()}${markdown(description.slice(1)).replace(/\.$/, '')}.`,
    fence(`benchfolio ${command.name()} ${command.usage()}`),
    command.options.map(optionText).join('\n'),
    help.trim() && fence(help.trim()),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** @param {Command} command as wide as it likes */
function helpOf(command) {
  let text = '';
  command
    .configureHelp({ helpWidth: 1000 })
    .configureOutput({
      writeOut: (more) => {
        text += more;
      },
    })
    .outputHelp();
  return text;
}

/** @param {Option} option */
function optionText({ flags, description, argChoices, defaultValue }) {
  const facts = [
    argChoices?.map((one) => `\`${one}\``).join(', '),
    ['string', 'number'].includes(typeof defaultValue) &&
      !description.includes('(default') &&
      `default: \`${defaultValue}\``,
  ].filter(Boolean);
  return `- **\`${flags}\`**${facts.length > 0 ? ` (${facts.join('; ')})` : ''}: ${markdown(description)}`;
}

const fence = (/** @type {string} */ text) => `\`\`\`text\n${text}\n\`\`\``;

function metricsPage() {
  const texts = metricsTable.sections.map(({ title, about, metrics }) => {
    const lines = metrics.filter(({ when }) => when !== 'search').map(metricText);
    return `## ${title}\n\n${about}\n\n${lines.join('\n')}`;
  });
  return page({
    title: 'Metrics',
    about:
      'The metrics of a case. Records contain them, and `gate`, `tolerances`, charts and tables name them. A name consists of noun, unit and qualifier: `latency_ms_p95`. [find](../find-the-capacity.md) adds `load_rps_max` and `load_users_max`, and `[metrics]` of a [spec](spec.md#metricsname) adds metrics from Prometheus. [Methodology](../../method.md) says how far each can be trusted.\n\nA threshold of a spec has the names of k6, which stand here beside ours: `http_req_duration = "p(95)<100"` is about `latency_ms_p95`. Two pairs differ a little: `http_req_failed` counts responses that did not come or had another status, and `errors_ratio` also those whose content is not what `expect` says; `http_reqs` counts all requests as `requests_rps` does, and `throughput_rps` only responses as expected.',
    body: texts.join('\n\n'),
  });
}

/** @param {RecordMetric} metric */
function metricText({ name, unit, direction, title, ...row }) {
  const asked = thresholdName({ name, ...row });
  const kind = unit === '1' ? 'a number' : unit === 'ratio' ? 'a share' : unit;
  return `- **\`${name}\`** (${kind}${direction ? `; ${direction} is better` : ''}): ${title}${asked && `; in thresholds: ${asked}`}`;
}

function actionPage() {
  const text = textOf('action.yml');
  return page({
    title: 'The action',
    about:
      'The action measures a change and its base, writes the outcome to the summary of the job, and uploads the records. [Measure pull requests](../measure-pull-requests.md) has a workflow with it.',
    body: [
      '## Inputs',
      tableOf(text, 'inputs')
        .map(({ name, description, value }) => `- **\`${name}\`** (default: ${inputText(value)}): ${description}`)
        .join('\n'),
      '## Outputs',
      'Of a step with an `id`, as `steps.<id>.outputs.<name>`:',
      tableOf(text, 'outputs')
        .map(({ name, description }) => `- **\`${name}\`**: ${description}`)
        .join('\n'),
    ].join('\n\n'),
  });
}

/** @param {string} value a default as written */
const inputText = (value) => (value === "''" ? 'empty' : `\`${value}\``);

/**
 * The inputs or outputs of action.yml: of YAML, what it uses.
 * @param {string} text
 * @param {'inputs' | 'outputs'} table
 * @returns {{ name: string, description: string, value: string }[]} value: the default of an input
 */
export function tableOf(text, table) {
  const [, block = ''] = new RegExp(`^${table}:\\n((?: .*\\n)+)`, 'm').exec(text) ?? [];
  return block.split(/^(?= {2}\S)/m).map((entry) => {
    const [, name = ''] = /^ {2}([\w-]+):\n/.exec(entry) ?? [];
    const [, line = '', folded = ''] = /^ {4}description: (.*)\n((?: {6}.*\n)*)/m.exec(entry) ?? [];
    const description = line === '>' ? folded.trim().replace(/\n\s*/g, ' ') : line.replace(/^"(.*)"$/, '$1');
    const [, value = ''] = /^ {4}(?:default|value): (.*)$/m.exec(entry) ?? [];
    return { name, description, value };
  });
}
