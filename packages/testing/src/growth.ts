export interface GrowthOptions {
  /** The smaller of the two input sizes. Choose one that takes at least a millisecond, so that the timer resolves it. */
  readonly size: number;
  /** How many times larger the second input is. Default 8. */
  readonly factor?: number;
}

/** The maximum number of runs of the larger input; the fastest counts, since other processes only ever make a run slower. */
const MAX_RUNS = 5;
/** Runs of the larger input before the result counts: the first compiles the code that the smaller one then runs. */
const MIN_RUNS = 2;
/** Runs of the smaller input for each run of the larger one. */
const SMALL_RUNS = 3;
const DEFAULT_FACTOR = 8;
/** Linear growth without doubt: no further runs are needed. */
const LINEAR = 1.5;

/**
 * Returns how much faster than linearly the cost of `run` grows: 1 for linear, `factor` for quadratic growth. Both sizes are
 * measured in turn on the same machine in processor time, so that the ratio depends on neither its speed nor its load.
 * `prepare` builds an input, untimed.
 */
export function excessGrowth<Input>(
  prepare: (size: number) => Input,
  run: (input: Input) => unknown,
  { size, factor = DEFAULT_FACTOR }: GrowthOptions,
): number {
  const [small, large] = [prepare(size), prepare(size * factor)];
  const growth = new Growth(factor);
  while (!growth.isKnown) {
    for (let i = 0; i < SMALL_RUNS; i++) {
      const started = process.cpuUsage();
      run(small);
      growth.addSmall(started);
    }
    const started = process.cpuUsage();
    run(large);
    growth.addLarge(started);
  }
  return growth.excess;
}

/** Does what `excessGrowth` does for an asynchronous `run`. */
export async function excessGrowthAsync<Input>(
  prepare: (size: number) => Input,
  run: (input: Input) => Promise<unknown>,
  { size, factor = DEFAULT_FACTOR }: GrowthOptions,
): Promise<number> {
  const [small, large] = [prepare(size), prepare(size * factor)];
  const growth = new Growth(factor);
  while (!growth.isKnown) {
    for (let i = 0; i < SMALL_RUNS; i++) {
      const started = process.cpuUsage();
      await run(small);
      growth.addSmall(started);
    }
    const started = process.cpuUsage();
    await run(large);
    growth.addLarge(started);
  }
  return growth.excess;
}

/** The fastest runs of the small and of the large input so far. */
class Growth {
  readonly #factor: number;
  #small = Infinity;
  #large = Infinity;
  #runs = 0;

  constructor(factor: number) {
    this.#factor = factor;
  }

  get excess(): number {
    return this.#large / this.#small / this.#factor;
  }

  get isKnown(): boolean {
    return this.#runs >= MAX_RUNS || (this.#runs >= MIN_RUNS && this.excess <= LINEAR);
  }

  addSmall(started: NodeJS.CpuUsage): void {
    this.#small = Math.min(this.#small, cpuMilliseconds(started));
  }

  addLarge(started: NodeJS.CpuUsage): void {
    this.#large = Math.min(this.#large, cpuMilliseconds(started));
    this.#runs++;
  }
}

/** Returns the processor time since `started`. The time on the clock would grow with the load of the machine. */
function cpuMilliseconds(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
