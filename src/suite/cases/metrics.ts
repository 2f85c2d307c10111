import type { Protocol } from './protocols.js';
import { driverMetrics } from './tables.js';

type MetricType = 'counter' | 'gauge' | 'rate' | 'trend';

const ofDriver = Object.values(driverMetrics);

/** The counters of our driver for errors. */
export const errorMetrics = ofDriver.filter(({ error }) => error);

/** k6's own metrics by type (its metrics/builtin.go, 2.2), and the errors that our driver counts. */
export const k6Metrics: Readonly<Record<string, MetricType>> = {
  http_reqs: 'counter',
  http_req_failed: 'rate',
  http_req_duration: 'trend',
  http_req_blocked: 'trend',
  http_req_connecting: 'trend',
  http_req_tls_handshaking: 'trend',
  http_req_sending: 'trend',
  http_req_waiting: 'trend',
  http_req_receiving: 'trend',
  iterations: 'counter',
  iteration_duration: 'trend',
  dropped_iterations: 'counter',
  data_sent: 'counter',
  data_received: 'counter',
  vus: 'gauge',
  vus_max: 'gauge',
  checks: 'rate',
  group_duration: 'trend',
  ws_sessions: 'counter',
  ws_msgs_sent: 'counter',
  ws_msgs_received: 'counter',
  ws_ping: 'trend',
  ws_session_duration: 'trend',
  ws_connecting: 'trend',
  grpc_req_duration: 'trend',
  ...Object.fromEntries(errorMetrics.map(({ name, type }) => [name, type])),
};

/** What a sample of k6's metrics is of, where it is not of a request. A connection's bytes have no tags of a request. */
const scopes: Record<string, 'iteration' | 'process' | 'connection'> = {
  iterations: 'iteration',
  iteration_duration: 'iteration',
  dropped_iterations: 'process',
  vus: 'process',
  vus_max: 'process',
  time: 'process', // of the dashboard's recorder
  data_sent: 'connection',
  data_received: 'connection',
};

/** Tells the scope of a metric's samples: the subject of their tags, and whether it belongs to one side of a duet. */
export const scopeOf = (metric: string): 'request' | 'iteration' | 'process' | 'connection' =>
  scopes[metric] ?? ofDriver.find(({ name }) => name === metric)?.scope ?? 'request';

/** k6's metrics of each protocol. k6 has the other metrics of a request for all protocols. */
const ofProtocol = { http: /^http_/, grpc: /^grpc_/, websocket: /^ws_/ };

/**
 * Tells whether declared requests give a metric of k6 a value: only a script checks or has groups of its own.
 * @param protocol of the requests
 */
export const isObserved = (metric: string, protocol: Protocol) =>
  !/^(checks|group_)/.test(metric) &&
  Object.entries(ofProtocol).every(([name, pattern]) => name === protocol || !pattern.test(metric));

/** What k6 can aggregate of each type; it refuses the rest. */
export const k6Aggregations = {
  counter: ['count', 'rate'],
  gauge: ['value'],
  rate: ['rate'],
  trend: ['avg', 'min', 'max', 'med', 'p(N)'],
};

/** What is sampled of services once a second, and may stand in thresholds. */
export const serviceMetrics = [
  'cpu_ratio',
  'cpu_ms_per_request',
  'memory_bytes',
  'descriptors_count',
  'network_rx_bytes',
  'network_tx_bytes',
  'block_read_bytes',
  'block_write_bytes',
];

export const serviceAggregations = ['avg', 'max', 'min', 'p(N)'];

/** What is worked out of a case's faults and users, and may stand in thresholds: how each can be aggregated. */
export const recordThresholds = {
  recovery_ms: serviceAggregations, // over faults and rounds
  fault_errors: ['rate'],
  receiving_rate: serviceAggregations, // over users, bytes a second
};
