import type { CramReferenceSource } from '@htskit/formats';
import { type BinningIndex, CraiIndex, parseCrai } from '@htskit/indexes';
import { type ParseIndexOptions, parseBinningIndexInSteps } from '@htskit/indexes/internal';
import {
  type ByteRange,
  type ByteSource,
  checkNotAborted,
  concatBytes,
  type ReadOptions,
  readChunks,
} from '@htskit/io';
import { loopTurns, onAbort } from '@htskit/io/internal';
import type { BasesRequest } from './cram-transform.js';
import type { IndexTransformOptions } from './index-transform.js';
import {
  openTransform,
  type TransformDescription,
  type TransformJob,
  type TransformPlace,
  type TransformSession,
  type TransformWorkers,
  toError,
} from './transform.js';

export interface TransformOptions extends ReadOptions {
  /** Returns the reference bases of CRAM files that are converted. Default: no reference is available. */
  readonly reference?: CramReferenceSource;
  /** Default: the caller's thread does the work. */
  readonly workers?: TransformWorkers;
  /** The client that the answer is for. Clients take turns at the workers. */
  readonly client?: string;
}

/**
 * Streams the output of a transform of the bytes `byteRange` of a source. One chunk is read ahead. Stopping early and
 * aborting the signal cancel the read and the transform.
 */
export async function* streamTransform(
  source: Pick<ByteSource, 'key' | 'stream'>,
  { byteRange, description }: { readonly byteRange: ByteRange; readonly description: TransformDescription },
  { workers = inProcess, client, reference, ...options }: TransformOptions,
): AsyncGenerator<Uint8Array, void> {
  const session = workers.createPlace(client).open(description);
  const stopListening = onAbort(options.signal, () => session.close());
  const chunks = new ChunksAhead(source, byteRange, options);
  try {
    for (let job = await chunks.next(); ; ) {
      const { output, failure, isDone, wanted } = await session.run(job);
      if (output.length > 0) yield output;
      if (failure !== undefined) throw toError(failure);
      if (isDone) return;
      job =
        wanted === undefined ? await chunks.next() : await fetchBases(wanted, { reference, signal: options.signal });
    }
  } catch (error) {
    checkNotAborted(options.signal, source.key);
    throw error;
  } finally {
    stopListening();
    session.close();
    await chunks.close();
  }
}

/** Returns the job that continues a transform with the bases that it wants, if any. */
async function fetchBases(
  wanted: readonly BasesRequest[],
  { reference, signal }: Pick<TransformOptions, 'reference' | 'signal'>,
): Promise<TransformJob> {
  if (wanted.length === 0) return { isLast: false };
  const bases = await Promise.all(wanted.map(async (request) => reference?.({ ...request, signal })));
  return { bases, isLast: false };
}

/** Parses a CRAI index, on a worker if there are any. Throws what `parseCrai`, the workers and the memory budget throw. */
export async function parseCraiOn(
  workers: TransformWorkers | undefined,
  bytes: Uint8Array,
  options: IndexLimits,
): Promise<CraiIndex> {
  if (workers === undefined) return parseCrai(bytes, options);
  return new CraiIndex(await runOn(workers, bytes, { kind: 'crai', options }));
}

/** Compressed bytes of an index that are decompressed in a few milliseconds. */
const SHORT_INDEX_BYTES = 64 * 1024;

/**
 * Parses a BAI, CSI or TBI index in steps. One that is compressed is decompressed on a worker if there are any, which takes ten
 * times as long as the pass over the decompressed bytes. Throws what `parseBinningIndex`, the workers and the memory budget
 * throw.
 */
export async function parseBinningIndexOn(
  workers: TransformWorkers | undefined,
  bytes: Uint8Array,
  options: IndexLimits,
): Promise<BinningIndex> {
  const isLong = bytes[0] === GZIP_START && bytes.length > SHORT_INDEX_BYTES;
  if (workers === undefined || !isLong) return parseBinningIndexInSteps(bytes, options);
  return parseBinningIndexInSteps(await runOn(workers, bytes, { kind: 'decompress', options }), options);
}

type IndexLimits = Pick<IndexTransformOptions, 'maxBytes'> & Pick<ParseIndexOptions, 'memory'>;

/** The first byte of gzip data (RFC 1952 §2.3.1). */
const GZIP_START = 0x1f;

async function runOn(
  workers: TransformWorkers,
  bytes: Uint8Array,
  {
    kind,
    options: { maxBytes, memory },
  }: { readonly kind: IndexTransformOptions['kind']; readonly options: IndexLimits },
): Promise<Uint8Array<ArrayBuffer>> {
  const session = workers.open({ kind, maxBytes });
  try {
    const { output, failure } = await session.run({ chunk: bytes, isLast: true });
    if (failure !== undefined) throw toError(failure);
    memory?.reserve(output.length);
    return output;
  } finally {
    session.close();
  }
}

/** The chunks of a range. Reads the next one while the caller is busy with the last one. */
class ChunksAhead {
  readonly #chunks: AsyncGenerator<Uint8Array, void>;
  #reading: Promise<IteratorResult<Uint8Array, void>>;
  #bytesLeft: number;

  constructor(source: Pick<ByteSource, 'stream'>, range: ByteRange, options: ReadOptions) {
    this.#chunks = readChunks(source.stream(range, options));
    this.#bytesLeft = range.end - range.start;
    this.#reading = this.#read();
  }

  async next(): Promise<TransformJob> {
    const { done, value } = await this.#reading;
    const chunk = done === true ? undefined : value;
    this.#bytesLeft -= chunk?.length ?? 0;
    // Small ranges thus take one job.
    const isLast = chunk === undefined || this.#bytesLeft <= 0;
    if (!isLast) this.#reading = this.#read();
    return { chunk, isLast };
  }

  async close(): Promise<void> {
    await this.#chunks.return();
  }

  #read(): Promise<IteratorResult<Uint8Array, void>> {
    const reading = this.#chunks.next();
    // The error is thrown by `next`, if it is called.
    reading.catch(() => undefined);
    return reading;
  }
}

/** Stored bytes that are transformed at once: about five milliseconds of work. */
const STEP_BYTES = 64 * 1024;

/**
 * Does transforms on the caller's thread. It works in steps, between which the event loop handles other events: short ones,
 * except that each slice of a CRAM file is one.
 */
export const inProcess: TransformPlace = {
  take: () => undefined,
  createPlace: () => inProcess,
  open: openInProcess,
};

function openInProcess(description: TransformDescription): TransformSession {
  const run = openTransform(description);
  if (description.kind !== 'cram') return { run: inSteps(run), close: () => undefined };
  return {
    async run(job) {
      await loopTurns.next();
      return run(job);
    },
    close: () => undefined,
  };
}

/** Returns a function that does jobs in short steps. */
function inSteps(run: ReturnType<typeof openTransform>): TransformSession['run'] {
  /** The stored bytes of the job that no step has been given yet. */
  let rest: Uint8Array = new Uint8Array(0);
  let isEnded = false;
  let isPaused = false;
  return async ({ chunk, isLast }) => {
    rest = chunk ?? rest;
    isEnded ||= isLast;
    const outputs: Uint8Array<ArrayBuffer>[] = [];
    for (;;) {
      await loopTurns.next();
      const step = isPaused ? undefined : rest.subarray(0, STEP_BYTES);
      rest = rest.subarray(step?.length ?? 0);
      const result = await run({ chunk: step, isLast: isEnded && rest.length === 0 });
      isPaused = result.wanted !== undefined;
      outputs.push(result.output);
      if (isPaused || result.isDone || rest.length === 0) return { ...result, output: concatBytes(outputs) };
    }
  };
}
