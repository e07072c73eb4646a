import { describeError } from '../errors.js';

/** The minimum number of milliseconds between two messages of a kind. */
const PAUSE_MILLISECONDS = 60_000;

/** Logs a message of a kind. */
export type RareLog = (kind: string, message: string) => void;

/**
 * Returns a log that has each kind of message at most once in a minute, with the number of those that it left out. What clients
 * can cause at will must not fill a disk. `now` is in milliseconds since any fixed point in time.
 */
export function createRareLog(log: (message: string) => void, now: () => number = () => performance.now()): RareLog {
  const kinds = new Map<string, { readonly loggedAt: number; omitted: number }>();
  return (kind, message) => {
    const last = kinds.get(kind);
    if (last !== undefined && now() - last.loggedAt < PAUSE_MILLISECONDS) {
      last.omitted++;
      return;
    }
    kinds.set(kind, { loggedAt: now(), omitted: 0 });
    log(
      last === undefined || last.omitted === 0 ? message : `${message} (${last.omitted} more since the last message)`,
    );
  };
}

/**
 * Returns a callback that neither throws nor rejects, for work that no request waits for: timers, measurements, and events of
 * processes and connections. An exception in such a callback ends the process.
 */
export function guard<Parameters extends readonly unknown[]>(
  work: (...parameters: Parameters) => unknown,
  onFailure: (error: unknown) => void,
): (...parameters: Parameters) => void {
  const fail = (error: unknown): void => {
    try {
      onFailure(error);
    } catch {
      // A failing log must not end the process either.
    }
  };
  return (...parameters) => {
    try {
      const result = work(...parameters);
      if (result instanceof Promise) result.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** Returns a function for `guard` that logs the failures of some work, rarely. */
export function failureLog(name: string, log: RareLog): (error: unknown) => void {
  return (error) => log(name, `${name} failed: ${describeError(error)}`);
}
