import {
  type CramContainerHeader,
  type CramHeader,
  FormatError,
  parseCramContainerHeader,
  parseCramHeader,
} from '@htskit/formats';
import { type CramVersion, cramHeaderLength } from '@htskit/formats/internal';
import { CHUNK_BYTES } from '@htskit/io';
import { takeHeader } from './bgzf-stream.js';

/** A container of a CRAM file. */
export interface CramContainer {
  readonly header: CramContainerHeader;
  /** Valid until the next container is requested. */
  readonly blocks: Uint8Array;
  /** Bytes from the start of the file to the blocks. */
  readonly offset: number;
}

/**
 * Takes bytes that arrive in chunks of any size in the sizes that are needed. A chunk is valid until the next one is requested, and
 * what is returned until more bytes are: memory is used again.
 */
export class ChunkReader {
  readonly #chunks: AsyncGenerator<Uint8Array, void>;
  /** The bytes that were not taken: of a chunk, or of `#memory`. */
  #bytes: Uint8Array = new Uint8Array(0);
  /** Memory for bytes of several chunks. */
  #memory: Uint8Array = new Uint8Array(0);
  /** Bytes from the start of the file. */
  #offset: number;

  constructor(chunks: AsyncGenerator<Uint8Array, void>, offset = 0) {
    this.#chunks = chunks;
    this.#offset = offset;
  }

  get offset(): number {
    return this.#offset;
  }

  /** Returns the bytes that have arrived, at least `count` unless the chunks end. They are not taken. */
  async peek(count: number): Promise<Uint8Array> {
    while (this.#bytes.length < count) {
      const { length } = this.#bytes;
      this.#reserve(length, count);
      const { done, value } = await this.#chunks.next();
      if (done === true) break;
      if (length === 0) this.#bytes = value;
      else {
        this.#reserve(length + value.length, count);
        this.#memory.set(value, length);
        this.#bytes = this.#memory.subarray(0, length + value.length);
      }
    }
    return this.#bytes;
  }

  /** Moves the bytes to the start of memory that has room for `byteLength` of them, of `count` that are needed. */
  #reserve(byteLength: number, count: number): void {
    const bytes = this.#bytes;
    if (bytes.length === 0) return;
    const memory = this.#memory;
    if (byteLength > memory.length) {
      this.#memory = new Uint8Array(Math.max(byteLength, Math.min(2 * byteLength, count + CHUNK_BYTES)));
    } else if (bytes.buffer === memory.buffer && bytes.byteOffset === memory.byteOffset) return;
    this.#memory.set(bytes);
    this.#bytes = this.#memory.subarray(0, bytes.length);
  }

  /** Takes exactly `count` bytes. Throws `FormatError` TRUNCATED if the chunks end before. */
  async take(count: number): Promise<Uint8Array> {
    const bytes = await this.peek(count);
    if (bytes.length < count) {
      throw new FormatError('TRUNCATED', `expected ${count} bytes, found ${bytes.length}`, { offset: this.#offset });
    }
    this.#bytes = bytes.subarray(count);
    this.#offset += count;
    return bytes.subarray(0, count);
  }

  async close(): Promise<void> {
    await this.#chunks.return();
  }
}

/** A CRAM file whose header was taken, and a reader of its containers. */
export interface OpenContainers {
  readonly header: CramHeader;
  readonly reader: ChunkReader;
}

/** Takes the header of a CRAM file from the start of its chunks. Throws `FormatError`. */
export async function openContainers(chunks: AsyncGenerator<Uint8Array, void>): Promise<OpenContainers> {
  const { header, rest } = await takeHeader(chunks, { createHeaderReader: () => ({ read: cramHeaderLength }) });
  return { header: parseCramHeader(header), reader: new ChunkReader(rest, header.length) };
}

/** Bytes that are requested first for the header of a container: most are shorter. */
const HEADER_BYTES = 32;

/** Yields the containers that `reader` is at, to the end of its bytes. Throws `FormatError`. */
export async function* readContainers(reader: ChunkReader, version: CramVersion): AsyncGenerator<CramContainer, void> {
  for (let wanted = HEADER_BYTES; ; ) {
    const bytes = await reader.peek(wanted);
    if (bytes.length === 0) return;
    const header = parseCramContainerHeader(bytes, { version, offset: reader.offset });
    if (header === undefined) {
      if (bytes.length < wanted) {
        throw new FormatError('TRUNCATED', 'file ends within a container header', { offset: reader.offset });
      }
      wanted = 2 * bytes.length;
      continue;
    }
    await reader.take(header.headerLength);
    const { offset } = reader;
    yield { header, blocks: await reader.take(header.length), offset };
    wanted = HEADER_BYTES;
  }
}
