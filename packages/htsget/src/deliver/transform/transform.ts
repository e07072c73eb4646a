import { BgzfError, type BgzfErrorCode } from '@htskit/bgzf';
import { FormatError, type FormatErrorCode } from '@htskit/formats';
import { IndexError, type IndexErrorCode } from '@htskit/indexes';
import type { ChunkTransform } from './chunk-transform.js';
import { IndexTransform, type IndexTransformOptions } from './index-transform.js';
import { RecordTransform, type RecordTransformOptions } from './record-transform.js';

/** A transform by its kind, with its options: plain data, so that it can be posted to a worker. */
export type TransformDescription = ({ readonly kind: 'records' } & RecordTransformOptions) | IndexTransformOptions;

function createTransform(description: TransformDescription): ChunkTransform {
  switch (description.kind) {
    case 'records':
      return new RecordTransform(description);
    case 'crai':
    case 'decompress':
      return new IndexTransform(description);
  }
}

/** A job of a transform: the next stored bytes, if there are any. */
export interface TransformJob {
  readonly chunk?: Uint8Array | undefined;
  /** Whether the stored bytes end with this job. */
  readonly isLast: boolean;
}

/** The result of a job. */
export interface TransformResult {
  readonly output: Uint8Array<ArrayBuffer>;
  /** Whether the transform has ended: `output` is the last of it. */
  readonly isDone: boolean;
  /** The error that ended the transform after `output`. */
  readonly failure?: TransformFailure | undefined;
}

/** An error of the decoders as plain data: errors lose their class between threads. */
type TransformFailure =
  | (FailureDetails<BgzfErrorCode> & { readonly name: 'BgzfError' })
  | (FailureDetails<FormatErrorCode> & { readonly name: 'FormatError' })
  | (FailureDetails<IndexErrorCode> & { readonly name: 'IndexError' });

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
  /** Begins a transform. Transforms with one key share the turns of one client. */
  open(description: TransformDescription, key?: string): TransformSession;
}

/** Returns the function that does the jobs of a transform, which the first job creates. */
export function openTransform(description: TransformDescription): (job: TransformJob) => TransformResult {
  let transform: ChunkTransform | undefined;
  return ({ chunk, isLast }) => {
    try {
      transform ??= createTransform(description);
      if (chunk !== undefined) transform.push(chunk);
      const isDone = isLast || transform.isComplete;
      if (isDone) transform.finish();
      return { output: transform.take(), isDone };
    } catch (error) {
      return { output: transform?.take() ?? new Uint8Array(0), isDone: true, failure: toFailure(error) };
    }
  };
}

/** Throws an error that is not one of the decoders'. */
function toFailure(error: unknown): TransformFailure {
  if (error instanceof BgzfError) return { name: 'BgzfError', ...detailsOf(error) };
  if (error instanceof FormatError) return { name: 'FormatError', ...detailsOf(error) };
  if (error instanceof IndexError) return { name: 'IndexError', ...detailsOf(error) };
  throw error;
}

function detailsOf<Code>({ code, message, offset }: FailureDetails<Code>): FailureDetails<Code> {
  // The constructors of these classes append the offset.
  return { code, message: message.replace(/ \(at byte \d+\)$/, ''), offset };
}

/** The inverse of `toFailure`. */
export function toError(failure: TransformFailure): BgzfError | FormatError | IndexError {
  const { message, offset } = failure;
  switch (failure.name) {
    case 'BgzfError':
      return new BgzfError(failure.code, message, { offset });
    case 'FormatError':
      return new FormatError(failure.code, message, { offset });
    case 'IndexError':
      return new IndexError(failure.code, message, { offset });
  }
}
