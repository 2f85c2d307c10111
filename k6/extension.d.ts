/** Ours: k6/native/module.go. */
declare module 'k6/x/benchfolio' {
  /** Metrics whose thresholds need samples of their own. */
  export const judgedMetrics: string[];
  /** The tag that these samples have. */
  export const judgedTag: string;
  /** The tags that a selector may ask for. */
  export const knownTags: string[];
  /** Takes the load, as JSON: the executor plays it. */
  export function plan(load: string): void;
  /** JSON: of each name that is counted, k6's summary of it. */
  export function summary(names: string[], stats: string[], seconds: number): string;
}

/** Ours: k6/native/hosts.go. */
declare module 'k6/x/benchfolio/hosts' {
  /** Keeps this user to these hosts ("127.0.0.1:8080"), from now on. */
  export function only(hosts: string[]): void;
  /** The first address that any user was refused; empty: none was. */
  export function refused(): string;
}
