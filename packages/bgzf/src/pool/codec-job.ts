import { type BorrowedBytes, peek } from '@htskit/io';
import { BLOCK_DATA_BYTES, deflateBlocksInto } from '../block/deflate-blocks.js';
import type { CodecEngine } from '../engines/codec-engine.js';
import { type CodecJobResult, type InflateJob, runInflateJob, type Slot, type SlotJob } from './inflate-job.js';

/** Bytes of data of a job that deflates: ten milliseconds of work or more. */
export const JOB_DATA_BYTES: number = 16 * BLOCK_DATA_BYTES;

/** Data to deflate at `level`. */
export interface DeflateJob extends SlotJob {
  readonly kind: 'deflate';
  readonly level: number;
}

export type CodecJob = InflateJob | DeflateJob;

/** Does the jobs of a pool. */
export interface CodecRunner {
  /** The number of jobs that it does at the same time. */
  readonly threads: number;
  run(job: CodecJob): Promise<CodecJobResult>;
  close(): Promise<void>;
}

/** Does a job on the current thread. */
export function runCodecJob(job: CodecJob, engine?: CodecEngine): CodecJobResult {
  if (job.kind === 'inflate') return runInflateJob(job, engine);
  const { slot, level } = job;
  return { slot, outputLength: deflateBlocksInto(new Uint8Array(slot.output), toInput(job), { level, engine }) };
}

/** Returns a view of the input of a job. */
export function toInput({ slot, inputLength }: SlotJob): Uint8Array {
  return new Uint8Array(slot.input, 0, inputLength);
}

/** Data in the input of a slot. */
export interface DataBatch {
  readonly slot: Slot;
  readonly inputLength: number;
}

/** Groups data into jobs. */
export async function* batchData(
  chunks: AsyncIterable<BorrowedBytes>,
  acquireSlot: () => Slot,
): AsyncGenerator<DataBatch, void> {
  let slot = acquireSlot();
  let inputLength = 0;
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length; ) {
      const part = peek(chunk).subarray(offset, offset + JOB_DATA_BYTES - inputLength);
      new Uint8Array(slot.input).set(part, inputLength);
      inputLength += part.length;
      offset += part.length;
      if (inputLength < JOB_DATA_BYTES) continue;
      yield { slot, inputLength };
      slot = acquireSlot();
      inputLength = 0;
    }
  }
  if (inputLength > 0) yield { slot, inputLength };
}
