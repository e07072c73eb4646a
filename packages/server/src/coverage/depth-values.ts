import type { DepthRuns } from '@htskit/coverage';
import type { BigWigRuns } from '@htskit/formats';

/** Yields the runs whose depth is not 0. */
export async function* toValues(runs: AsyncIterable<DepthRuns>): AsyncGenerator<BigWigRuns, void> {
  for await (const { referenceId, length, start, end, depth } of runs) {
    const covered = { start: new Float64Array(length), end: new Float64Array(length), value: new Float64Array(length) };
    let count = 0;
    for (let i = 0; i < length; i++) {
      const runDepth = depth[i] ?? 0;
      if (runDepth === 0) continue;
      covered.start[count] = start[i] ?? 0;
      covered.end[count] = end[i] ?? 0;
      covered.value[count++] = runDepth;
    }
    yield { referenceId, length: count, ...covered };
  }
}
