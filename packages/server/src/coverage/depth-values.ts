import type { DepthRuns } from '@htskit/coverage';
import type { BigWigRuns } from '@htskit/formats';

/** Yields the runs whose depth is not 0. */
export async function* toValues(runs: AsyncIterable<DepthRuns>): AsyncGenerator<BigWigRuns, void> {
  for await (const each of runs) yield toCovered(each);
}

function toCovered({ referenceId, length, start, end, depth }: DepthRuns): BigWigRuns {
  if (!depth.subarray(0, length).includes(0)) return { referenceId, length, start, end, value: depth };
  const covered = { start: new Int32Array(length), end: new Int32Array(length), value: new Uint32Array(length) };
  let count = 0;
  for (let i = 0; i < length; i++) {
    const runDepth = depth[i] ?? 0;
    if (runDepth === 0) continue;
    covered.start[count] = start[i] ?? 0;
    covered.end[count] = end[i] ?? 0;
    covered.value[count++] = runDepth;
  }
  return { referenceId, length: count, ...covered };
}
