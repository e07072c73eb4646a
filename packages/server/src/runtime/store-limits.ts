/** The limits of each bucket and web server that holds files. */
export interface StoresSection {
  readonly concurrency?: number;
  readonly firstByteSeconds?: number;
  readonly stallSeconds?: number;
  readonly retries?: number;
  readonly failures?: number;
  readonly openSeconds?: number;
  readonly redirectHosts?: readonly string[];
}

/** The limits with defaults. The client waits for all of it, so they are shorter than those of `@htskit/http`. */
export type StoreLimits = { readonly [Key in keyof StoresSection]-?: NonNullable<StoresSection[Key]> };

export const DEFAULT_STORE_LIMITS: StoreLimits = {
  concurrency: 128,
  firstByteSeconds: 10,
  stallSeconds: 30,
  retries: 2,
  failures: 10,
  openSeconds: 10,
  redirectHosts: [],
};

/** Returns the limits with defaults for those that are left out or undefined. `concurrency` is that of the server. */
export function toStoreLimits(section: StoresSection = {}, concurrency?: number): StoreLimits {
  const defined = Object.entries(section).filter(([, value]) => value !== undefined);
  const half = concurrency === undefined ? {} : { concurrency: Math.max(1, Math.floor(concurrency / 2)) };
  return { ...DEFAULT_STORE_LIMITS, ...half, ...Object.fromEntries(defined) };
}
