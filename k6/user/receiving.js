import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { driverMetrics, limits } from '../../dist/suite/cases/tables.js';
import { infoOnce } from './counters.js';

/** @import { Response } from 'k6/http' */

// Loaded only for cases with per_user.

const requests = new Counter(driverMetrics.user_requests.name);
const bytes = new Counter(driverMetrics.received_bytes.name);
const time = new Counter(driverMetrics.receiving_ms.name);

/**
 * Counts for one user what it received and how long that took.
 * @returns {(response: Response | null) => void} to be called after each request; null: it got no response
 */
export function createReceiving() {
  /** @type {{ user: string } | null} */
  let tags = null; // who it is, k6 tells when it runs
  return (response) => {
    tags ??= { user: String(exec.vu.idInTest) };
    requests.add(1, tags);
    if (response === null || response.timings.receiving < limits.receiving_ms) return;
    const size = sizeOf(response);
    if (size === null) {
      infoOnce('a rate', 'a response has neither Content-Length nor a body that is read: its size is unknown');
      return;
    }
    bytes.add(size, tags);
    time.add(response.timings.receiving, tags);
  };
}

/** The header goes first: unused bodies are thrown away. @param {Response} response */
function sizeOf({ headers, body }) {
  const length = Number(headers['Content-Length'] ?? NaN);
  if (length >= 0) return length;
  if (body === null) return null;
  return typeof body === 'string' ? body.length : body.byteLength;
}
