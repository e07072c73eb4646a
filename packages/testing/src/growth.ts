export interface GrowthOptions {
  /** The smaller of the two input sizes. Choose one that takes at least a millisecond, so that the timer resolves it. */
  readonly size: number;
  /** How many times larger the second input is. Default 8. */
  readonly factor?: number | undefined;
}

/** Runs per size; the fastest counts, since other processes only ever make a run slower. */
const RUNS = 5;
const DEFAULT_FACTOR = 8;

/**
 * Returns how much faster than linearly the cost of `run` grows: 1 for linear, `factor` for quadratic growth. Both sizes are
 * timed in turn on the same machine, so that the ratio does not depend on its speed. `prepare` builds an input, untimed.
 */
export function excessGrowth<Input>(
  prepare: (size: number) => Input,
  run: (input: Input) => unknown,
  { size, factor = DEFAULT_FACTOR }: GrowthOptions,
): number {
  const inputs = [prepare(size), prepare(size * factor)] as const;
  const times: RunTimes[] = [];
  for (let i = 0; i < RUNS; i++) {
    times.push(
      inputs.map((input) => {
        const started = performance.now();
        run(input);
        return performance.now() - started;
      }),
    );
  }
  return toExcess(times, factor);
}

/** Does what `excessGrowth` does for an asynchronous `run`. */
export async function excessGrowthAsync<Input>(
  prepare: (size: number) => Input,
  run: (input: Input) => Promise<unknown>,
  { size, factor = DEFAULT_FACTOR }: GrowthOptions,
): Promise<number> {
  const inputs = [prepare(size), prepare(size * factor)] as const;
  const times: RunTimes[] = [];
  for (let i = 0; i < RUNS; i++) {
    const pair: number[] = [];
    for (const input of inputs) {
      const started = performance.now();
      await run(input);
      pair.push(performance.now() - started);
    }
    times.push(pair);
  }
  return toExcess(times, factor);
}

/** Milliseconds of one run for the small and for the large input. */
type RunTimes = readonly number[];

function toExcess(times: readonly RunTimes[], factor: number): number {
  const [small, large] = [0, 1].map((input) => Math.min(...times.map((run) => run[input] ?? Infinity)));
  return (large ?? Infinity) / (small ?? 0) / factor;
}
