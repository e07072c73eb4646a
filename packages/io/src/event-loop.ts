/** Milliseconds of a turn of the event loop that may be used before further work waits for the next turn. */
const TURN_MILLISECONDS = 5;

/** Milliseconds for which `postpone` can hold work back. */
const POSTPONED_MILLISECONDS = 25;

/** Calls a function in the next turn of the event loop, after the events that are ready by then. */
export type Defer = (callback: () => void) => void;

interface DeferringGlobals {
  readonly setImmediate?: Defer;
  readonly scheduler?: { readonly postTask?: (callback: () => void) => unknown };
}

/** In Node the shortest timer takes a millisecond. Browsers have no `setImmediate`, and timers take four if they follow each other. */
const { setImmediate, scheduler } = globalThis as DeferringGlobals;
const defaultDefer: Defer =
  setImmediate ??
  (scheduler?.postTask === undefined
    ? (callback) => void setTimeout(callback, 0)
    : (callback) => void scheduler.postTask?.(callback));

/** Resolves in the next turn of the event loop, so that other events are handled before. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => defaultDefer(resolve));
}

export interface TurnSchedulerOptions {
  /** Milliseconds of work in one turn of the event loop. At least one piece of work is done in each turn. Default 5. */
  readonly milliseconds?: number;
  /** Milliseconds since any fixed point in time. Default `performance.now`. */
  readonly now?: () => number;
  /** Default `setImmediate`, or a timer in runtimes without it. */
  readonly defer?: Defer;
}

/**
 * Limits how much work is done in one turn of the event loop. A server accepts one connection and reads each of its sockets
 * once per turn, so that work for some clients delays all others until the turn ends.
 */
export class TurnScheduler {
  readonly #milliseconds: number;
  readonly #now: () => number;
  readonly #defer: Defer;
  /** When the time of the current turn is used up. Undefined before the first work of a turn. */
  #end: number | undefined;
  #waiting = 0;
  /** Turns for which work is held back: this one, and the one in which that is noticed. */
  #postponedTurns = 0;
  /** When work was last begun. */
  #workedAt = Number.NEGATIVE_INFINITY;

  constructor({ milliseconds = TURN_MILLISECONDS, now, defer = defaultDefer }: TurnSchedulerOptions = {}) {
    this.#milliseconds = milliseconds;
    this.#now = now ?? (() => performance.now());
    this.#defer = defer;
  }

  /** Number of pieces of work that wait for a later turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Calls `work` at once if the turn has time left and nothing waits, and otherwise in a later turn, in the order of the calls.
   * What `work` awaits without leaving the turn counts, too.
   */
  run(work: () => void): void {
    if (this.#waiting === 0 && this.#hasTime()) {
      work();
      return;
    }
    this.#waiting++;
    // Each piece of work is deferred by itself: only between two callbacks are all promises of the earlier one settled.
    const retry = (end: number | undefined): void => {
      // The end of an earlier turn was not forgotten if workerd dropped the callbacks of a request that is over.
      if (this.#end === end) this.#end = undefined;
      if (this.#hasTime()) {
        this.#waiting--;
        work();
      } else this.#deferRetry(retry);
    };
    this.#deferRetry(retry);
  }

  #deferRetry(retry: (end: number | undefined) => void): void {
    const end = this.#end;
    this.#later(() => retry(end));
  }

  /** Calls the function without a receiver, as timers require. */
  #later(callback: () => void): void {
    const defer = this.#defer;
    defer(callback);
  }

  /**
   * Holds work back until the next turn, if some was done in the last 25 ms: for each connection that a server accepts. It
   * accepts one per turn, so that turns must be short while many are waiting.
   */
  postpone(): void {
    const isTicking = this.#postponedTurns > 0;
    this.#postponedTurns = 2;
    if (!isTicking) this.#later(() => this.#tick());
  }

  #tick(): void {
    this.#postponedTurns--;
    if (this.#postponedTurns > 0) this.#later(() => this.#tick());
  }

  /** Resolves when work may be done: see `run`. Throws the reason of a signal that is aborted by then. */
  async next(signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => this.run(resolve));
    signal?.throwIfAborted();
  }

  #hasTime(): boolean {
    const now = this.#now();
    if (this.#postponedTurns > 0 && now - this.#workedAt < POSTPONED_MILLISECONDS) return false;
    if (this.#end === undefined) {
      this.#end = now + this.#milliseconds;
      this.#later(() => {
        this.#end = undefined;
      });
    } else if (now >= this.#end) return false;
    this.#workedAt = now;
    return true;
  }
}

/** The turns of this thread, shared by everything that computes on it. */
export const loopTurns: TurnScheduler = /* @__PURE__ */ new TurnScheduler();
