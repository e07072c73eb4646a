import { concatBytes } from '@htskit/io';
import { mapInOrder } from '@htskit/io/internal';
import { inflateBlock } from '../block/inflate-blocks.js';
import { type BlockBatch, type CodecJobResult, type InflateJob, JOB_BLOCKS, type Slot } from './inflate-job.js';

/** Jobs in progress or waiting for each worker, so that it never waits for the next one. */
const JOBS_PER_THREAD = 2;
/** Further jobs, for a caller that is slow to consume the results. */
const JOBS_AHEAD = 2;

/** Returns the number of jobs of a stream in progress on so many threads. */
export function countJobsAhead(threads: number): number {
  return threads * JOBS_PER_THREAD + JOBS_AHEAD;
}

/** The result of a job. */
export interface Output {
  readonly bytes: Uint8Array;
  /** The memory of the job. */
  readonly slot: Slot;
  /** The error of the block after `bytes`. */
  readonly failure?: { readonly error: unknown };
}

/** A batch of blocks and its data. */
export interface InflatedBatch {
  readonly batch: BlockBatch;
  readonly output: Output;
}

/** How batches are inflated. */
interface InflateBatchesOptions {
  readonly run: (job: InflateJob) => Promise<CodecJobResult>;
  readonly threads: number;
}

/** Inflates batches ahead of the caller, in order. The first blocks of a stream are not worth a worker. */
export function inflateBatches(
  batches: AsyncGenerator<BlockBatch, void>,
  { run, threads }: InflateBatchesOptions,
): AsyncGenerator<InflatedBatch, void> {
  let seen = 0;
  const inflate = async (batch: BlockBatch): Promise<InflatedBatch> => {
    const { slot, inputLength, blocks } = batch;
    seen += blocks.length;
    const isShort = seen < JOB_BLOCKS;
    const coffset = blocks[0]?.coffset ?? 0;
    const outputLength = blocks.reduce((sum, { isize }) => sum + isize, 0);
    const result = await run({ kind: 'inflate', slot, inputLength, isShort, coffset, outputLength });
    if (result.outputLength !== undefined) return { batch, output: toOutput(result) };
    // Inflating the invalid blocks again on this thread throws the BgzfError.
    const input = new Uint8Array(result.slot.input, 0, inputLength);
    return { batch, output: { slot: result.slot, ...inflateValid(input, blocks) } };
  };
  return mapInOrder(batches, { run: inflate, ahead: countJobsAhead(threads) });
}

/** Inflates blocks up to the first one that is invalid. */
function inflateValid(input: Uint8Array, blocks: BlockBatch['blocks']): Pick<Output, 'bytes' | 'failure'> {
  const parts: Uint8Array[] = [];
  const [first] = blocks;
  try {
    for (const { coffset } of blocks) {
      parts.push(inflateBlock(input.subarray(coffset - (first?.coffset ?? coffset)), { coffset }));
    }
    return { bytes: concatBytes(parts) };
  } catch (error) {
    return { bytes: concatBytes(parts), failure: { error } };
  }
}

export function toOutput({ slot, outputLength }: CodecJobResult): Output {
  return { bytes: new Uint8Array(slot.output, 0, outputLength), slot };
}
