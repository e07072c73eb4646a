import { deflateBlocks } from '@htskit/bgzf';
import {
  type CramContainerHeader,
  type CramDecoder,
  type CramHeader,
  type CramReferenceRequest,
  createBamCondition,
  createCramDecoder,
  FormatError,
  parseCramContainerHeader,
} from '@htskit/formats';
import type { RecordLimits } from '@htskit/formats/internal';
import { type BorrowedBytes, concatBytes } from '@htskit/io';
import type { MemoryAccount } from '@htskit/io/internal';
import { RECORD_FORMATS, type RecordInterval, type RecordPieces, type RecordRewriting } from '../file/record-format.js';
import { OutputBlocks } from './chunk-transform.js';

/** The containers of a CRAM file whose records become BAM. Plain data, so that it can be posted to a worker. */
export interface CramTransformOptions {
  readonly header: CramHeader;
  /** Bytes from the start of the file to the first container. */
  readonly start: number;
  /** Only records that overlap an interval are kept. Default: all records. */
  readonly intervals?: readonly RecordInterval[];
  /** Default: records are kept as they are. */
  readonly rewriting?: RecordRewriting;
  /** The start of the names of records that were stored without names. Default `cram`. */
  readonly namePrefix?: string;
  /**
   * The maximum number of bytes of the blocks and the reference of a slice, which are held while it is decoded. Default: see
   * `createCramDecoder`.
   */
  readonly sliceBytes?: number;
  /** Compression level, from 0 to 9. */
  readonly level?: number;
}

/** Bases that a slice needs. They are fetched by the thread that gave the job. */
export type BasesRequest = Omit<CramReferenceRequest, 'signal'>;

/** The next need of a transform of CRAM. Without `wanted` it needs the next stored bytes. */
export interface CramProgress {
  readonly isDone: boolean;
  /** The bases that the next job must bring. If there are none, the next job brings nothing: more output follows. */
  readonly wanted?: readonly BasesRequest[];
}

/** The maximum number of bytes of a container as it is stored. Those of 100,000 short reads have twelve million. */
export const MAX_CONTAINER_BYTES: number = 2 ** 26;
/** The maximum number of bytes that a container decodes to, one slice after another. */
const DECODED_BYTES = 2 ** 29;

/** Decodes containers to BAM records, filters and rewrites them, and compresses them to full blocks: a slice in each step. */
export class CramTransform {
  readonly #decoder: CramDecoder;
  /** The filter and the rewriter of the records. */
  readonly #stages: readonly RecordPieces[];
  readonly #output: OutputBlocks;
  readonly #containers: ContainerBuffer;
  /** The slices of the current container. */
  #slices: AsyncGenerator<Uint8Array, void> | undefined;
  /** The slice that waits for its reference. */
  #slice: Promise<IteratorResult<Uint8Array, void>> | undefined;
  #requests: { readonly request: BasesRequest; readonly resolve: (bases: Uint8Array | undefined) => void }[] = [];
  #onRequest: () => void = () => undefined;

  constructor(
    { header, start, intervals, rewriting, namePrefix, sliceBytes, level }: CramTransformOptions,
    { memory, recordBytes }: RecordLimits = {},
  ) {
    this.#decoder = createCramDecoder({
      header,
      namePrefix,
      intervals,
      reference: (request) => this.#request(request),
      limits: { containerBytes: DECODED_BYTES, sliceBytes, recordBytes, memory },
    });
    const condition = rewriting?.criteria && createBamCondition(rewriting.criteria);
    this.#stages = [
      condition &&
        RECORD_FORMATS.BAM.createFilter(undefined, { recordBytes, memory, lengthKeys: undefined, condition }),
      rewriting && RECORD_FORMATS.BAM.createRewriter({ ...rewriting, recordBytes, memory }),
    ].filter((stage) => stage !== undefined);
    this.#output = new OutputBlocks((data) => deflateBlocks(data, { level }));
    this.#containers = new ContainerBuffer(header, { start, memory });
  }

  /** Adds stored bytes, which end with the job `isLast`. */
  push(chunk: Uint8Array): void {
    this.#containers.push(chunk);
  }

  /** Provides the bases that the last step requested, in the same order. */
  provide(bases: readonly (Uint8Array | undefined)[]): void {
    const requests = this.#requests;
    this.#requests = [];
    for (const [index, { resolve }] of requests.entries()) resolve(bases[index]);
  }

  /** Does a step: decodes a slice, or finds what it needs for that. `isEnded` says that no stored bytes follow. */
  async step(isEnded: boolean): Promise<CramProgress> {
    while (this.#slices === undefined) {
      const container = this.#containers.take();
      if (container === undefined) return isEnded ? this.#finish() : { isDone: false };
      const { header, blocks, offset } = container;
      this.#slices = this.#decoder.decode(blocks, { header, offset });
    }
    this.#slice ??= this.#slices.next();
    const requested = new Promise<undefined>((resolve) => {
      this.#onRequest = () => resolve(undefined);
    });
    const slice = this.#requests.length > 0 ? undefined : await Promise.race([this.#slice, requested]);
    if (slice === undefined) return { isDone: false, wanted: this.#requests.map(({ request }) => request) };
    this.#slice = undefined;
    if (slice.done === true) this.#slices = undefined;
    else for (const piece of passThrough(slice.value, this.#stages)) this.#output.add(piece);
    return { isDone: false, wanted: [] };
  }

  /** Returns the output since the last call, in memory of its own. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#output.take();
  }

  #request({ signal: _signal, ...request }: CramReferenceRequest): Promise<Uint8Array | undefined> {
    return new Promise((resolve) => {
      this.#requests.push({ request, resolve });
      this.#onRequest();
    });
  }

  #finish(): CramProgress {
    this.#containers.checkEmpty();
    // Slices hold whole records.
    for (const stage of this.#stages) stage.finish();
    this.#output.flush();
    return { isDone: true };
  }
}

/** Passes records through stages, one piece after the other: a stage overwrites what it returned before. */
function* passThrough(
  piece: BorrowedBytes,
  [stage, ...others]: readonly RecordPieces[],
): Generator<BorrowedBytes, void> {
  if (stage === undefined) yield piece;
  else for (const kept of stage.push(piece)) yield* passThrough(kept, others);
}

interface StoredContainer {
  readonly header: CramContainerHeader;
  readonly blocks: Uint8Array;
  /** Bytes from the start of the file to the blocks. */
  readonly offset: number;
}

/** Gathers containers from chunks of any size. */
class ContainerBuffer {
  readonly #file: CramHeader;
  readonly #memory: MemoryAccount | undefined;
  /** Bytes that are reserved for the chunks and the container that they are joined to. */
  #reserved = 0;
  #chunks: Uint8Array[] = [];
  #byteLength = 0;
  /** The next container is not looked for before there are as many bytes. */
  #wanted = 1;
  #offset: number;

  constructor(
    file: CramHeader,
    { start, memory }: { readonly start: number; readonly memory: MemoryAccount | undefined },
  ) {
    this.#file = file;
    this.#offset = start;
    this.#memory = memory;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#byteLength += chunk.length;
  }

  /** Returns the next container, or undefined if more bytes are needed. Throws `FormatError` for invalid data. */
  take(): StoredContainer | undefined {
    return this.#byteLength < this.#wanted ? undefined : this.#read();
  }

  /** Throws `FormatError` TRUNCATED if the bytes end within a container. */
  checkEmpty(): void {
    if (this.#byteLength === 0) return;
    throw new FormatError('TRUNCATED', 'file ends within a container', { offset: this.#offset });
  }

  #read(): StoredContainer | undefined {
    const bytes = concatBytes(this.#chunks);
    const offset = this.#offset;
    this.#chunks = [bytes];
    const header = parseCramContainerHeader(bytes, { version: this.#file.version, offset });
    const byteLength = header === undefined ? bytes.length + 1 : header.headerLength + header.length;
    if (byteLength > MAX_CONTAINER_BYTES) {
      throw new FormatError('LIMIT_EXCEEDED', `container exceeds the limit of ${MAX_CONTAINER_BYTES} bytes`, {
        offset,
      });
    }
    this.#memory?.release(this.#reserved);
    this.#reserved = 0;
    if (header === undefined || byteLength > bytes.length) {
      this.#memory?.reserve(2 * byteLength);
      this.#reserved = 2 * byteLength;
      this.#wanted = byteLength;
      return undefined;
    }
    this.#chunks = [bytes.subarray(byteLength)];
    this.#byteLength -= byteLength;
    this.#offset += byteLength;
    this.#wanted = 1;
    return { header, blocks: bytes.subarray(header.headerLength, byteLength), offset: offset + header.headerLength };
  }
}
