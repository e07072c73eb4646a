import { type BamHeader, FormatError, type RecordConverter } from '@htskit/formats';
import { relocateError } from '@htskit/formats/internal';
import { type BorrowedBytes, concatBytes } from '@htskit/io';
import { mapInOrder } from '@htskit/io/internal';
import { countWorkers } from './worker-count.js';
import { WorkerTask } from './worker-task.js';

/** The least bytes of records of a job, which take some ten milliseconds. */
const JOB_BYTES = 2 ** 20;

/** How records are written as text. */
export interface SamAheadOptions {
  readonly header: Pick<BamHeader, 'text' | 'references'>;
  /** Converts records on the calling thread: those that are invalid, and those before a worker has started. */
  readonly converter: RecordConverter;
  readonly workers: number;
  readonly signal: AbortSignal;
}

/** Converts pieces of whole BAM records to SAM text on workers, in order. Throws what `converter` throws. */
export async function* samAhead(
  pieces: AsyncIterable<Uint8Array>,
  { header, converter, workers, signal }: SamAheadOptions,
): AsyncGenerator<BorrowedBytes, void> {
  const task = new WorkerTask({ setting: { kind: 'text', header }, workers: countWorkers(workers) });
  const run = async (batch: Batch) => ({ batch, text: await task.run(concatBytes(batch.pieces)) });
  /** Bytes that `converter` has converted. */
  let converted = 0;
  try {
    for await (const { batch, text } of mapInOrder(batchPieces(pieces), { run, ahead: task.ahead })) {
      signal.throwIfAborted();
      if (text !== undefined) yield* text;
      else {
        yield* convertHere(batch, converter, batch.offset - converted);
        converted += batch.pieces.reduce((sum, { length }) => sum + length, 0);
      }
    }
  } finally {
    task.close();
  }
}

/** Consecutive pieces. */
interface Batch {
  readonly pieces: readonly Uint8Array[];
  /** Bytes of all pieces before. */
  readonly offset: number;
}

/** Groups pieces into jobs. Throws the errors of `pieces`, after the pieces before. */
async function* batchPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Batch, void> {
  let batch: Uint8Array[] = [];
  let [start, offset] = [0, 0];
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const piece of pieces) {
      batch.push(piece);
      offset += piece.length;
      if (offset - start < JOB_BYTES) continue;
      yield { pieces: batch, offset: start };
      batch = [];
      start = offset;
    }
  } catch (error) {
    failure = { error };
  }
  if (batch.length > 0) yield { pieces: batch, offset: start };
  if (failure !== undefined) throw failure.error;
}

/** Converts a batch. `skipped` is the number of bytes before it that `converter` has not seen. */
function* convertHere({ pieces }: Batch, converter: RecordConverter, skipped: number): Generator<BorrowedBytes, void> {
  try {
    for (const piece of pieces) yield* converter.push(piece);
  } catch (error) {
    throw error instanceof FormatError ? relocateError(error, skipped) : error;
  }
}
