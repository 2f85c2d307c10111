// The part of k6 that the driver uses, for tsc: https://grafana.com/docs/k6/latest/javascript-api/.

declare const __VU: number;
declare const __ENV: Record<string, string>;

declare module 'k6' {
  export function sleep(seconds: number): void;
}

declare module 'k6/data' {
  export class SharedArray<T> extends Array<T> {
    constructor(name: string, build: () => T[]);
  }
}

declare module 'k6/crypto' {
  export function sha256(input: string | ArrayBuffer, encoding: 'hex'): string;
}

declare module 'k6/metrics' {
  export class Counter {
    constructor(name: string);
    add(value: number, tags?: Record<string, string>): void;
  }
  export class Trend {
    constructor(name: string, isTime?: boolean);
    add(value: number, tags?: Record<string, string>): void;
  }
  export class Gauge {
    constructor(name: string);
    add(value: number): void;
  }
}

declare module 'k6/execution' {
  const execution: {
    instance: { currentTestRunDuration: number };
    scenario: { startTime: number; iterationInTest: number };
    test: { abort(message: string): never };
    vu: { idInTest: number; metrics: { tags: Record<string, string> } };
  };
  export default execution;
}

declare module 'k6/http' {
  export interface Response {
    status: number;
    url: string;
    error: string;
    body: string | ArrayBuffer | null;
    headers: Record<string, string>;
    cookies: Record<string, { value: string }[]>;
    timings: { receiving: number };
    json(path?: string): any;
  }
  export interface Params {
    headers?: Record<string, string>;
    redirects?: number;
    timeout?: string;
    responseType?: 'text' | 'binary' | 'none';
    responseCallback?: object;
  }
  const http: {
    get(url: string | object, params?: Params): Response;
    post(url: string | object, body?: string | ArrayBuffer | null, params?: Params): Response;
    request(method: string, url: string | object, body?: string | ArrayBuffer | null, params?: Params): Response;
    url(strings: readonly string[]): object;
    expectedStatuses(...statuses: (number | { min: number; max: number })[]): object;
    setResponseCallback(callback: object | null): void;
    cookieJar(): { clear(url: string): void };
  };
  export default http;
}
