import { defaultEngine } from '#default-engine';
import { BgzfError } from '../bgzf-error.js';
import type { CodecEngine } from '../codec-engine.js';
import { deflateBlocksInto } from '../deflate-blocks.js';
import { inflateBlocksInto } from '../inflate-block.js';
import type { Slot } from './slot.js';

/** Whole blocks to inflate, which begin at `coffset` in the file, or data to deflate at `level`. */
export type CodecJob = {
  readonly slot: Slot;
  readonly inputLength: number;
  /** Whether the stream has no other job: then it is not worth starting a worker. */
  readonly isOnly: boolean;
} & ({ readonly kind: 'inflate'; readonly coffset: number } | { readonly kind: 'deflate'; readonly level: number });

export interface CodecJobResult {
  /** The same memory. */
  readonly slot: Slot;
  /** Bytes of output, or undefined where the blocks are refused: who gave the job finds out why. */
  readonly outputLength: number | undefined;
}

/** Does a job, in a worker or on the spot. */
export function runCodecJob(job: CodecJob, engine: CodecEngine = defaultEngine()): CodecJobResult {
  const { input, output } = toArrays(job);
  try {
    const outputLength =
      job.kind === 'inflate'
        ? inflateBlocksInto(output, input, { coffset: job.coffset, engine })
        : deflateBlocksInto(output, input, { level: job.level, engine });
    return { slot: job.slot, outputLength };
  } catch (thrown) {
    if (thrown instanceof BgzfError) return { slot: job.slot, outputLength: undefined };
    throw thrown;
  }
}

/** The memory of a job: what goes in, and where to put what comes out. */
export function toArrays({ slot, inputLength }: CodecJob): { input: Uint8Array; output: Uint8Array } {
  return { input: new Uint8Array(slot.input, 0, inputLength), output: new Uint8Array(slot.output) };
}
