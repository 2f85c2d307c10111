import { SpecError } from '../../dist/suite/cases/error.js';
import { isChanging } from '../../dist/suite/cases/load.js';
import { quantileGrid } from '../../dist/suite/cases/quantiles.js';
import { refuse } from '../shared/refuse.js';
import { planAnswers } from './answers.js';
import { bySide } from './by-side.js';
import { readCase, rowsFromOf } from './case.js';
import { planFaults } from './faults.js';
import { within } from './files.js';
import { optionsOf } from './options.js';
import { seedOf } from './random.js';
import { planRequests } from './requests.js';
import { smokeOptions } from './smoke.js';
import { baseUrlOf } from './target.js';
import { secondsOf, timedBy } from './thresholds.js';

/** @import { Case } from '../../dist/suite/cases/expand.js' */
/** @import { PlannedRequest } from './requests.js' */

/**
 * @typedef {object} PlannedLoad what a user does
 * @property {string} scenario
 * @property {string | null} script path of the scenario's own k6 script
 * @property {string | null} scriptName the same as the spec writes it
 * @property {string | null} exec which function of the script is an iteration; null: the default one
 * @property {Record<string, string> | null} tags of the script's samples
 * @property {string | null} userAgent that the spec sets
 * @property {string} baseUrl without a slash at its end
 * @property {string[]} hosts origins besides those of the addresses where requests may go
 * @property {string | null} headUrl of a duet's other side
 * @property {string[]} headHosts
 * @property {Record<string, any>} ready what steps between ready and load captured, by name
 * @property {Record<string, any>} headReady
 * @property {Record<string, string | number | boolean>} parameters swept values included
 * @property {string} folder the spec's, absolute
 * @property {{ from_s: number, to_s: number | null }} window
 * @property {number | null} duration_s null: until the iterations are done
 * @property {boolean} losesTags k6 clears the users' tags now and then
 * @property {boolean} isOpen the clock decides when iterations begin, and not the users
 * @property {Case['order']} order
 * @property {PlannedRequest[]} requests
 * @property {number[] | null} accepted statuses that k6 takes for good where a request does not say; null: 200 to 399
 * @property {Case['rows']} rows
 * @property {[number, number]} seed of random values
 * @property {{ from_s: number, end_s: number, to_s: number }[]} faults when each is near, and when it ends
 * @property {string[]} groups names
 * @property {boolean} per_user users are told apart
 * @property {{ users: number, each: number, fields: number } | null} answers to be sampled: by the first so many users, so many
 *   of each request; null: none
 * @property {Case['turns'] | null} turns users send while it is their side's turn; null: all the time
 * @property {boolean} smoke one iteration, before the load
 * @property {boolean} keepsCookies users do, from one iteration to the next
 * @property {number} rowsFrom where this process begins in shared rows, as a share of them
 *
 * @typedef {object} Facts what the summary says
 * @property {string} name of the case
 * @property {string} title
 * @property {string} target
 * @property {{ from_s: number, to_s: number | null }} window
 * @property {number | null} seconds how long is measured; null: until the iterations are done
 * @property {string[]} requests names
 * @property {string} timed the metric of k6 that times them
 * @property {string[]} groups names
 * @property {boolean} faults are planned
 * @property {Case['thresholds']} thresholds
 */

/**
 * From the environment variables of a k6 run to everything that is the same for all its users.
 * @param {Record<string, string>} env
 * @returns {{ options: Record<string, any>, load: PlannedLoad, facts: Facts }}
 */
export function makePlan(env) {
  try {
    return planOf(env);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return refuse(`${env.SPEC}: ${error}`);
  }
}

/** @param {Record<string, string>} env */
function planOf(env) {
  const { benchCase, folder } = readCase(env);
  const { scenario, parameters, window, duration_s, order, rows, groups, per_user, thresholds, title, name } =
    benchCase;
  const baseUrl = baseUrlOf(benchCase, env, folder);
  const smoke = Boolean(env.SMOKE);
  const { requests, accepted, discards } = planRequests(benchCase.requests ?? [], folder, smoke);
  const script = benchCase.script === null ? null : within(folder, benchCase.script);
  const headUrl = benchCase.side !== null && env.HEAD_URL ? env.HEAD_URL.replace(/\/+$/, '') : null;
  // Ports of services are known when they run.
  const hostsOf = (/** @type {string | undefined} */ given) =>
    env.CASE && given ? JSON.parse(given) : benchCase.hosts;
  const options = optionsOf(benchCase, quantileGrid, discards);
  return {
    options: smoke
      ? smokeOptions(options)
      : headUrl === null
        ? options
        : { ...options, thresholds: bySide(options.thresholds) },
    load: {
      scenario,
      script,
      scriptName: benchCase.script,
      exec: benchCase.exec ?? null,
      tags: benchCase.tags ?? null,
      userAgent: benchCase.user_agent ?? null,
      baseUrl,
      hosts: hostsOf(env.BASE_HOSTS),
      headUrl,
      headHosts: hostsOf(env.HEAD_HOSTS),
      ready: JSON.parse(env.BASE_READY || '{}'),
      headReady: JSON.parse(env.HEAD_READY || '{}'),
      parameters,
      folder,
      window,
      duration_s,
      order,
      requests,
      accepted,
      rows,
      seed: seedOf(env.SEED),
      keepsCookies: benchCase.cookies === 'user',
      rowsFrom: rowsFromOf(benchCase, env.PART),
      faults: smoke ? [] : planFaults(benchCase.faults),
      groups,
      per_user,
      turns: (smoke ? null : benchCase.turns) ?? null,
      smoke,
      isOpen: benchCase.load.kind === 'open',
      answers: planAnswers(benchCase, Number(env.ANSWERS ?? 0), Number(env.FIELDS ?? 0)),
      losesTags: benchCase.load.kind === 'closed' && isChanging(benchCase.load), // of users that it let go and takes again
    },
    facts: {
      name,
      title,
      target: baseUrl,
      window,
      seconds: secondsOf(window, duration_s, benchCase.faults),
      groups,
      thresholds,
      requests: requests.map((request) => request.name),
      timed: timedBy(benchCase),
      faults: benchCase.faults.length > 0,
    },
  };
}
