import { BgzfError, type BgzfErrorCode } from '@htskit/bgzf';
import { FormatError, type FormatErrorCode } from '@htskit/formats';
import type { RecordLimits } from '@htskit/formats/internal';
import { IndexError, type IndexErrorCode } from '@htskit/indexes';
import { MemoryError, type MemoryErrorCode } from '@htskit/io';
import { MemoryAccount, type MemoryShare } from '@htskit/io/internal';
import type { ChunkTransform } from './chunk-transform.js';
import { type BasesRequest, type CramProgress, CramTransform, type CramTransformOptions } from './cram-transform.js';
import { IndexTransform, type IndexTransformOptions } from './index-transform.js';
import { RecordTransform, type RecordTransformOptions } from './record-transform.js';

/** Limits of the memory of a transform. Plain data, so that it can be posted to a worker. */
interface TransformLimits {
  /** See `HtsgetLimits`. */
  readonly recordBytes?: number;
  /** The account that counts long records and slices, and decompressed indexes. Default: they are not counted. */
  readonly memory?: MemoryShare;
}

/** A transform by its kind, with its options: plain data, so that it can be posted to a worker. */
export type TransformDescription = TransformLimits &
  (
    | ({ readonly kind: 'records' } & RecordTransformOptions)
    | ({ readonly kind: 'cram' } & CramTransformOptions)
    | IndexTransformOptions
  );

function createTransform(description: Exclude<TransformDescription, { kind: 'cram' }>): ChunkTransform {
  const limits = toRecordLimits(description);
  switch (description.kind) {
    case 'records':
      return new RecordTransform(description, limits);
    case 'crai':
    case 'decompress':
      return new IndexTransform(description, limits);
  }
}

function toRecordLimits({ recordBytes, memory }: TransformLimits): RecordLimits {
  return { recordBytes, memory: memory && new MemoryAccount(memory) };
}

/** Whether a transform may have further results after the last stored bytes: its output is longer than they are. */
export function mayPause(description: TransformDescription): boolean {
  if (description.kind === 'cram') return true;
  return description.kind === 'records' && (description.isText || description.level === 0);
}

/** A job of a transform: the next stored bytes, if there are any, or what the last result wanted. */
export interface TransformJob {
  readonly chunk?: Uint8Array;
  /** The bases that the last result wanted, in the same order; undefined for those that are not available. */
  readonly bases?: readonly (Uint8Array | undefined)[];
  /** Whether the stored bytes end with this job. */
  readonly isLast: boolean;
}

/** The result of a job. */
export interface TransformResult {
  readonly output: Uint8Array<ArrayBuffer>;
  /** Whether the transform has ended: `output` is the last of it. */
  readonly isDone: boolean;
  /**
   * The reference bases that the next job must bring. If the list is empty, the next job brings nothing: more output follows.
   * Undefined if the next job brings stored bytes.
   */
  readonly wanted?: readonly BasesRequest[];
  /** The error that ended the transform after `output`. */
  readonly failure?: TransformFailure;
}

/** An error of the decoders as plain data: errors lose their class between threads. */
type TransformFailure =
  | (FailureDetails<BgzfErrorCode> & { readonly name: 'BgzfError' })
  | (FailureDetails<FormatErrorCode> & { readonly name: 'FormatError' })
  | (FailureDetails<IndexErrorCode> & { readonly name: 'IndexError' })
  | (Omit<FailureDetails<MemoryErrorCode>, 'offset'> & { readonly name: 'MemoryError' });

interface FailureDetails<Code> {
  readonly code: Code;
  readonly message: string;
  readonly offset: number;
}

/** A transform in progress. */
export interface TransformSession {
  run(job: TransformJob): Promise<TransformResult>;
  /** Stops the transform. Jobs that wait are rejected. */
  close(): void;
}

/** Something that does transforms, such as `DeliveryWorkers`. */
export interface TransformWorkers {
  /** Returns the place of one answer. Clients take turns. */
  createPlace(client?: string): TransformPlace;
  /** Opens a transform that needs no place and is never refused. */
  open(description: TransformDescription, client?: string): TransformSession;
}

/**
 * The place of one answer at the workers. Once it is taken, no transform of the answer is refused, so it is taken before the
 * first byte is sent. A function that is given a place instead of workers uses it: `createPlace` returns the place itself.
 */
export interface TransformPlace extends TransformWorkers {
  /** Takes the place. The first job of a transform does so too. Throws `WorkerError` QUEUE_FULL if too many jobs wait. */
  take(): void;
}

/** Returns the function that does the jobs of a transform, which the first job creates. */
export function openTransform(
  description: TransformDescription,
): (job: TransformJob) => TransformResult | Promise<TransformResult> {
  return description.kind === 'cram' ? openCramTransform(description) : openChunkTransform(description);
}

function openChunkTransform(
  description: Exclude<TransformDescription, { kind: 'cram' }>,
): (job: TransformJob) => TransformResult {
  let transform: ChunkTransform | undefined;
  let isEnded = false;
  return ({ chunk, isLast }) => {
    try {
      transform ??= createTransform(description);
      if (chunk !== undefined) transform.push(chunk);
      isEnded ||= isLast;
      if (!transform.advance()) return { output: transform.take(), isDone: false, wanted: [] };
      const isDone = isEnded || transform.isComplete;
      if (isDone) transform.finish();
      return { output: transform.take(), isDone };
    } catch (error) {
      return { output: transform?.take() ?? new Uint8Array(0), isDone: true, failure: toFailure(error) };
    }
  };
}

function openCramTransform(
  description: CramTransformOptions & TransformLimits,
): (job: TransformJob) => Promise<TransformResult> {
  let transform: CramTransform | undefined;
  let isEnded = false;
  return async ({ chunk, bases, isLast }) => {
    let progress: CramProgress & Pick<TransformResult, 'failure'>;
    try {
      transform ??= new CramTransform(description, toRecordLimits(description));
      if (chunk !== undefined) transform.push(chunk);
      if (bases !== undefined) transform.provide(bases);
      isEnded ||= isLast;
      progress = await transform.step(isEnded);
    } catch (error) {
      progress = { isDone: true, failure: toFailure(error) };
    }
    return { output: transform?.take() ?? new Uint8Array(0), ...progress };
  };
}

/** Throws an error that is not one of the decoders'. */
function toFailure(error: unknown): TransformFailure {
  if (error instanceof BgzfError) return { name: 'BgzfError', ...detailsOf(error) };
  if (error instanceof FormatError) return { name: 'FormatError', ...detailsOf(error) };
  if (error instanceof IndexError) return { name: 'IndexError', ...detailsOf(error) };
  if (error instanceof MemoryError) return { name: 'MemoryError', code: error.code, message: error.message };
  throw error;
}

function detailsOf<Code>({ code, message, offset }: FailureDetails<Code>): FailureDetails<Code> {
  // The constructors of these classes append the offset.
  return { code, message: message.replace(/ \(at byte \d+\)$/, ''), offset };
}

/** The inverse of `toFailure`. */
export function toError(failure: TransformFailure): BgzfError | FormatError | IndexError | MemoryError {
  switch (failure.name) {
    case 'BgzfError':
      return new BgzfError(failure.code, failure.message, failure);
    case 'FormatError':
      return new FormatError(failure.code, failure.message, failure);
    case 'IndexError':
      return new IndexError(failure.code, failure.message, failure);
    case 'MemoryError':
      return new MemoryError(failure.code, failure.message);
  }
}
