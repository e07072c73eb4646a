/** Runs a number of tasks at a time. */
export class BoundedTasks {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Starts a task once there is place for it. Throws what one failed with before. */
  async add(task: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit) await Promise.race(this.#running);
    this.#checkFailure();
    const run = task()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** Waits for all tasks. Throws what the first one failed with. */
  async finish(): Promise<void> {
    await this.settle();
    this.#checkFailure();
  }

  /** Waits for all tasks, however they end. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #checkFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
