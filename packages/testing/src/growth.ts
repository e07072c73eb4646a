export interface GrowthOptions {
  /** The smaller of the two input sizes. */
  readonly size: number;
  /** How many times larger the second input is. Default 32, which keeps quadratic growth far from what a busy machine adds. */
  readonly factor?: number;
}

/** The most rounds of measuring. The least cost counts, since other processes only ever add to it. */
const MAX_ROUNDS = 8;
/** Rounds before the result counts: the first compiles the code that the others run. */
const MIN_ROUNDS = 2;
const DEFAULT_FACTOR = 32;
/** Growth that is not quadratic without doubt: no further rounds are needed. */
const LINEAR = 3;

/**
 * Returns how much faster than linearly the cost of `run` grows: 1 for linear, `factor` for quadratic growth. One run of the
 * larger input is compared with `factor` runs of the smaller one, which take as long if growth is linear. Compare the result with
 * a bound between them: 8, unless `factor` is given. `prepare` builds an input, unmeasured.
 */
export function excessGrowth<Input>(
  prepare: (size: number) => Input,
  run: (input: Input) => unknown,
  { size, factor = DEFAULT_FACTOR }: GrowthOptions,
): number {
  const [small, large] = [prepare(size), prepare(size * factor)];
  const runMany = (): void => {
    for (let i = 0; i < factor; i++) run(small);
  };
  return costRatio(() => run(large), runMany, LINEAR);
}

/** Does what `excessGrowth` does for an asynchronous `run`. */
export async function excessGrowthAsync<Input>(
  prepare: (size: number) => Input,
  run: (input: Input) => Promise<unknown>,
  { size, factor = DEFAULT_FACTOR }: GrowthOptions,
): Promise<number> {
  const [small, large] = [prepare(size), prepare(size * factor)];
  const costs = new LeastCosts(LINEAR);
  while (!costs.isKnown) {
    costs.start();
    for (let i = 0; i < factor; i++) await run(small);
    costs.endBaseline();
    costs.start();
    await run(large);
    costs.endRun();
  }
  return costs.ratio;
}

/**
 * Returns how many times the cost of `baseline` the cost of `run` is. Both are measured in turn and in processor time, so that
 * the ratio depends on neither the speed of the machine nor its load. A ratio of at most `enough` needs no further rounds.
 */
export function costRatio(run: () => unknown, baseline: () => unknown, enough = 0): number {
  const costs = new LeastCosts(enough);
  while (!costs.isKnown) {
    costs.start();
    baseline();
    costs.endBaseline();
    costs.start();
    run();
    costs.endRun();
  }
  return costs.ratio;
}

/** The least costs of both sides so far. */
class LeastCosts {
  readonly #enough: number;
  #baseline = Infinity;
  #run = Infinity;
  #rounds = 0;
  #started = process.cpuUsage();

  constructor(enough: number) {
    this.#enough = enough;
  }

  get ratio(): number {
    return this.#run / this.#baseline;
  }

  get isKnown(): boolean {
    return this.#rounds >= MAX_ROUNDS || (this.#rounds >= MIN_ROUNDS && this.ratio <= this.#enough);
  }

  start(): void {
    this.#started = process.cpuUsage();
  }

  endBaseline(): void {
    this.#baseline = Math.min(this.#baseline, this.#cost());
  }

  endRun(): void {
    this.#run = Math.min(this.#run, this.#cost());
    this.#rounds++;
  }

  /** The processor time since `start`. The time on the clock would grow with the load of the machine. */
  #cost(): number {
    const { user, system } = process.cpuUsage(this.#started);
    return user + system;
  }
}
