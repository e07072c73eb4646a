/** Milliseconds of computing after which other work has its turn. */
const TURN_MILLISECONDS = 10;

/** Short steps between two looks at the clock. */
const STEPS = 1024;

/** Lets a long computation be interrupted: by other work of the process, and by a signal. */
export class Turns {
  readonly #signal: AbortSignal | undefined;
  #start = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() - this.#start >= TURN_MILLISECONDS;
  }

  /** Whether it is over, looked up now and then only: for loops of short steps, by their index. */
  isOverAt(index: number): boolean {
    return index % STEPS === 0 && this.isOver;
  }

  /** Waits until other work was done. Throws what the signal was aborted with. */
  async next(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#signal?.throwIfAborted();
    this.#start = performance.now();
  }
}
