import { BgzfError, type VirtualOffset } from '@htskit/bgzf';
import { type InflatedBlocks, InflatePool } from '@htskit/bgzf/internal';
import { countWorkers } from './worker-count.js';

/** The start of a stream of blocks, and the end of the data that is inflated. */
interface InflateAheadOptions {
  /** The offset of the first block. */
  readonly coffset: number;
  /** The end of the data. The bytes may continue after it. Default: the data of all blocks. */
  readonly end?: VirtualOffset | undefined;
  /** Whether the memory of a piece is used again once the iteration continues. Default: the caller may keep it. */
  readonly isBorrowed?: boolean | undefined;
}

/** Inflates a stream on workers, ahead of the caller. */
export type InflateAhead = (
  chunks: AsyncIterable<Uint8Array>,
  options: InflateAheadOptions,
) => AsyncGenerator<Uint8Array, void>;

/** The workers that inflate, shared by all files of the process. */
let pool: InflatePool | undefined;

/** Returns what inflates on so many workers; undefined if the runtime has none. */
export function openInflateAhead(option: number | undefined): InflateAhead | undefined {
  const workers = countWorkers(option);
  if (workers === 0) return undefined;
  pool ??= new InflatePool();
  const shared = pool;
  return async function* inflateAhead(chunks, { coffset, end, isBorrowed = false }) {
    for await (const inflated of shared.inflate(chunks, { coffset, workers, isBorrowed })) {
      const isLast = end !== undefined && inflated.end > end.coffset;
      yield isLast ? inflated.data.subarray(0, lengthUpTo(end, inflated)) : inflated.data;
      if (isLast) return;
    }
  };
}

/** Returns the number of bytes before an offset in a block. Throws INVALID_OFFSET if the block does not have it. */
function lengthUpTo({ coffset: last, uoffset }: VirtualOffset, { blocks }: InflatedBlocks): number {
  let byteLength = uoffset;
  for (const { coffset, isize } of blocks) {
    if (coffset === last && uoffset <= isize) return byteLength;
    byteLength += isize;
  }
  throw new BgzfError('INVALID_OFFSET', 'expected a range that ends in a block', { offset: last });
}
