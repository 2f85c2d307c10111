import { hostile } from './browser.js';
import { fullRecord } from './declared-suite.js';
import { recordsOf } from './synthetic-records.js';

/** A record that has markup wherever a record has text. */
export function hostileRecord() {
  const [, , , record] = recordsOf(['alpha'], 4, 'v1.1', 1);
  const [metrics] = Object.values(record.requests);
  const [service] = Object.values(record.services);
  const { services, ...timeline } = record.timeline;
  const full = fullRecord(record, hostile);
  return {
    ...full,
    case: 'hostile',
    title: hostile,
    values: { rate: 9000, mode: hostile },
    command: hostile,
    commit: hostile,
    profile: hostile,
    definition: hostile,
    fingerprint: { ...record.fingerprint, cpu_model: hostile, os: hostile },
    requests: { [hostile]: metrics, other: metrics },
    services: { [hostile]: service },
    timeline: {
      ...timeline,
      faults: [[10, 12]],
      services: { [hostile]: services.app },
      requests: { [hostile]: { requests_rps: timeline.t }, other: { requests_rps: timeline.t } },
    },
    groups: { [hostile]: full.groups['list view'] },
    thresholds: [
      { ...record.thresholds[0], metric: hostile, selector: { name: hostile }, expr: hostile, reason: hostile },
    ],
    findings: [{ id: 'saturated', level: 'warn', text: hostile, metrics: [] }],
  };
}
