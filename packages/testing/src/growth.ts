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
 * measured in turn on the same machine in processor time, so that the ratio depends on neither its speed nor its load. `prepare` builds an input, untimed.
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
        const started = process.cpuUsage();
        run(input);
        return cpuMilliseconds(started);
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
      const started = process.cpuUsage();
      await run(input);
      pair.push(cpuMilliseconds(started));
    }
    times.push(pair);
  }
  return toExcess(times, factor);
}

/** Milliseconds of processor time of one run for the small and for the large input. */
type RunTimes = readonly number[];

/** Returns the processor time since `started`. The time on the clock would grow with the load of the machine. */
function cpuMilliseconds(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

function toExcess(times: readonly RunTimes[], factor: number): number {
  const [small, large] = [0, 1].map((input) => Math.min(...times.map((run) => run[input] ?? Infinity)));
  return (large ?? Infinity) / (small ?? 0) / factor;
}
