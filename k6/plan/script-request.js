import { raise, SpecError } from '../../dist/suite/cases/error.js';
import { leftForDriver } from '../../dist/suite/cases/flow.js';
import { fillPlaceholders } from '../../dist/suite/cases/placeholders.js';
import { readRequests, refuseVerbs, verbs } from '../../dist/suite/cases/requests.js';
import { refuse } from '../shared/refuse.js';
import { planRequest } from './requests.js';

/** @import { PlannedLoad } from './make-plan.js' */
/** @import { PlannedRequest } from './requests.js' */

const keys = [
  ...verbs,
  'name',
  'query',
  'headers',
  'body',
  'think',
  'expect',
  'on_error',
  'capture',
  'timeout',
  'redirects',
];

/**
 * Plans a request that a script describes by the keys of the spec.
 * @param {Record<string, any>} request
 * @param {PlannedLoad} load
 * @returns {PlannedRequest}
 */
export function planScriptRequest(request, { folder, parameters }) {
  try {
    const unknown = Object.keys(request).find((key) => !keys.includes(key));
    if (unknown !== undefined) raise([unknown], 'is not a key of a request', { got: unknown, known: keys });
    refuseVerbs([request], [], raise);
    const { name, ...rest } = request;
    const written = fillPlaceholders(rest, parameters, { leave: leftForDriver });
    return planRequest(readRequests([written], [request], [], raise)[0], folder, {
      discards: null,
      inScript: true,
    });
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return refuse(`bench.request(${JSON.stringify(request).slice(0, 60)}…): ${String(error)}`);
  }
}
