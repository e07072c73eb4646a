import { InflatePool } from '@htskit/bgzf/internal';
import { countWorkers } from './worker-count.js';

/** Inflates a stream on workers, ahead of the caller. */
export type InflateAhead = (
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly coffset: number },
) => AsyncGenerator<Uint8Array, void>;

/** The workers that inflate, shared by all files of the process. */
let pool: InflatePool | undefined;

/** Returns what inflates on so many workers; undefined if the runtime has none. */
export function openInflateAhead(option: number | undefined): InflateAhead | undefined {
  const workers = countWorkers(option);
  if (workers === 0) return undefined;
  pool ??= new InflatePool();
  const shared = pool;
  return async function* inflateAhead(chunks, options) {
    for await (const { data } of shared.inflate(chunks, { ...options, workers })) yield data;
  };
}
