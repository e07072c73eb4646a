import { BgzfPool } from '@htskit/bgzf';
import { countWorkers } from './worker-count.js';

/** Inflates a stream on workers, ahead of the caller, to pieces in memory of their own. */
export type InflateAhead = (
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly coffset: number },
) => AsyncGenerator<Uint8Array, void>;

/** The workers that inflate, shared by all files of the process. */
let pool: BgzfPool | undefined;

/** Returns what inflates on so many workers; undefined if the runtime has none. */
export function openInflateAhead(workers: number | undefined): InflateAhead | undefined {
  const count = countWorkers(workers);
  if (count === 0) return undefined;
  pool ??= new BgzfPool();
  const { inflateOwned } = pool;
  return (chunks, options) => inflateOwned.call(pool, chunks, { ...options, workers: count });
}
