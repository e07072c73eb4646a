export interface GrowthOptions {
  /** The smaller of the two input sizes. Choose one that takes at least a millisecond, so that the timer resolves it. */
  readonly size: number;
  /** How many times larger the second input is. Default 8. */
  readonly factor?: number | undefined;
}

/** Runs per size; the fastest counts, since other processes only ever make a run slower. */
const RUNS = 5;

/**
 * Returns how much faster than linearly the cost of `run` grows: 1 for linear, `factor` for quadratic growth. Both sizes are
 * timed in turn on the same machine, so that the ratio does not depend on its speed. `prepare` builds an input, untimed.
 */
export function excessGrowth<Input>(
  prepare: (size: number) => Input,
  run: (input: Input) => unknown,
  { size, factor = 8 }: GrowthOptions,
): number {
  const small = prepare(size);
  const large = prepare(size * factor);
  const fastest = { small: Infinity, large: Infinity };
  for (let i = 0; i < RUNS; i++) {
    fastest.small = Math.min(fastest.small, milliseconds(run, small));
    fastest.large = Math.min(fastest.large, milliseconds(run, large));
  }
  return fastest.large / fastest.small / factor;
}

function milliseconds<Input>(run: (input: Input) => unknown, input: Input): number {
  const started = performance.now();
  run(input);
  return performance.now() - started;
}
