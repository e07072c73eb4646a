/** Milliseconds of computing after which other work has its turn. */
const TURN_MILLISECONDS = 10;

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

  /** Waits until other work was done. Throws what the signal was aborted with. */
  async next(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#signal?.throwIfAborted();
    this.#start = performance.now();
  }
}
