import { loopTurns } from './event-loop.js';

/** Milliseconds of computing after which other work of the process gets its turn. */
const SLICE_MILLISECONDS = 10;

/** Short steps between two looks at the clock. */
const STEPS = 1024;

/** A computation that can be interrupted wherever it yields: after each short step, of at most about a millisecond. */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all steps of a computation at once. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Divides a long computation into time slices, so that it does not block the event loop and a signal can end it. */
export class TimeSlice {
  readonly #signal: AbortSignal | undefined;
  #start = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() - this.#start >= SLICE_MILLISECONDS;
  }

  /** Like `isOver`, but looks at the clock every 1,024 steps only: for loops of short steps, by their index. */
  isOverAt(index: number): boolean {
    return index % STEPS === 0 && this.isOver;
  }

  /** Lets other work of the process run, then starts the next slice. Throws the reason of an aborted signal. */
  async yieldToEventLoop(): Promise<void> {
    await loopTurns.next(this.#signal);
    this.#start = performance.now();
  }

  /** Runs a computation step by step, and returns its result. */
  async run<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      // Continues at once, unless the turn of the event loop is used up.
      await this.yieldToEventLoop();
    }
  }
}
