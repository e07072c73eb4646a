import {
  type BgzfBlock,
  BLOCK_DATA_BYTES,
  deflateBlocks,
  inflateBlock,
  streamBlocks,
  type VirtualOffset,
} from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import {
  type ByteSource,
  concatBytes,
  growBytes,
  loopTurns,
  type MemoryAccount,
  type ReadOptions,
  readChunks,
} from '@htskit/io';
import { type FileEnding, readBgzfTail } from './bgzf-tail.js';
import { type BgzfFormat, type BgzfHeader, type HeaderReader, RECORD_FORMATS } from './record-format.js';

/** The facts about a BAM, BCF or VCF file that planning needs. They depend on the bytes of the file alone. */
export interface BgzfFile {
  readonly format: BgzfFormat;
  readonly header: BgzfHeader;
  /** The header as BGZF blocks that hold nothing else. */
  readonly headerBlocks: Uint8Array;
  /** The start of the first record. Equal to the end of the header if the file has no records. */
  readonly firstRecord: VirtualOffset;
  readonly ending: FileEnding;
  /** The end of the records: the EOF marker, or the end of the last whole block of a file without one. */
  readonly end: VirtualOffset;
  /** Size of the file in bytes, without an incomplete block at its end. */
  readonly size: number;
}

export interface ReadHeaderOptions extends ReadOptions {
  /** Size of the object in bytes, from its `stat`. */
  readonly size: number;
  /** Most bytes of a header, compressed or not. */
  readonly maxHeaderBytes: number;
  /** Most references of a header. Default 2,000,000. */
  readonly maxReferences?: number;
  /** Counts the memory of the header while it is read. Default: it is not counted. */
  readonly memory?: MemoryAccount | undefined;
}

/** Default of `maxReferences`. */
export const MAX_REFERENCES = 2_000_000;

/**
 * Reads the header of a file, which may end anywhere in a block (SAMv1 §4.1, §4.2), and finds the end of its records. Throws
 * `FormatError` or `BgzfError` for invalid data, LIMIT_EXCEEDED for a header over the limits.
 */
export async function readBgzfFile(
  source: ByteSource,
  { format, ...options }: ReadHeaderOptions & { readonly format: BgzfFormat },
): Promise<BgzfFile> {
  const { size, maxHeaderBytes, maxReferences = MAX_REFERENCES, memory, ...readOptions } = options;
  const blocks = streamBlocks(readChunks(source.stream({ start: 0, end: size }, readOptions)));
  const reader = RECORD_FORMATS[format].createHeaderReader({ maxReferences });
  const { data, headerBlocks, firstRecord } = await readHeaderData(blocks, reader, { maxHeaderBytes, memory });
  const tailOptions = { ...readOptions, size, knownBlock: firstRecord.coffset, isText: format === 'VCF' };
  const { ending, end } = await readBgzfTail(source, tailOptions);
  return {
    format,
    header: reader.toHeader(await decodeText(reader.textBytes(data), memory)),
    headerBlocks,
    firstRecord,
    ending,
    end: { coffset: end, uoffset: 0 },
    size: ending === 'cut' ? end : size,
  };
}

/** Bytes of a text that are decoded at once: about a millisecond of work. */
const TEXT_STEP_BYTES = 2 ** 20;

/** Decodes text in steps, between which the event loop handles other events. A header that is not UTF-8 can still be served. */
async function decodeText(bytes: Uint8Array, memory: MemoryAccount | undefined): Promise<string> {
  // Most text is ASCII, whose characters take one byte each.
  memory?.reserve(bytes.length);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for (let start = 0; start < bytes.length; start += TEXT_STEP_BYTES) {
    await loopTurns.next();
    text += decoder.decode(bytes.subarray(start, start + TEXT_STEP_BYTES), { stream: true });
  }
  return text + decoder.decode();
}

/** Bytes of a header that are compressed at once: a few milliseconds of work. */
const STEP_BYTES = 4 * BLOCK_DATA_BYTES;

/** Compresses a header to blocks in steps, between which the event loop handles other events. */
export async function toHeaderBlocks(data: Uint8Array): Promise<Uint8Array> {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < data.length; start += STEP_BYTES) {
    await loopTurns.next();
    blocks.push(deflateBlocks(data.subarray(start, start + STEP_BYTES)));
  }
  return concatBytes(blocks);
}

interface HeaderData {
  readonly data: Uint8Array;
  readonly headerBlocks: Uint8Array;
  readonly firstRecord: VirtualOffset;
}

async function readHeaderData(
  blocks: AsyncIterable<BgzfBlock>,
  reader: HeaderReader,
  { maxHeaderBytes, memory }: Pick<ReadHeaderOptions, 'maxHeaderBytes' | 'memory'>,
): Promise<HeaderData> {
  const header = new GrowingBytes(memory);
  const stored = new GrowingBytes(memory);
  /** The last block with data. */
  let last = { coffset: 0, byteStart: 0, storedStart: 0 };
  let coffset = 0;
  let byteLength: number | undefined;
  for await (const block of blocks) {
    await loopTurns.next();
    const data = inflateBlock(block.bytes, { coffset });
    // Nothing is kept of blocks without data: a file may have millions of them.
    if (data.length > 0) {
      last = { coffset, byteStart: header.byteLength, storedStart: stored.byteLength };
      stored.append(block.bytes);
      header.append(data);
      byteLength = reader.measure(header.bytes, { isWhole: false });
    }
    // Compressed bytes count too: empty blocks lengthen the file, but not the header.
    if (Math.max(byteLength ?? header.byteLength, coffset) > maxHeaderBytes) {
      throw new FormatError('LIMIT_EXCEEDED', `header exceeds the limit of ${maxHeaderBytes} bytes`, { offset: 0 });
    }
    coffset += block.bytes.length;
    if (byteLength !== undefined) break;
  }
  byteLength ??= reader.measure(header.bytes, { isWhole: true });
  if (byteLength === undefined) {
    throw new FormatError('TRUNCATED', 'file ends within its header', { offset: header.byteLength });
  }
  const data = header.bytes.subarray(0, byteLength);
  if (byteLength === header.byteLength) {
    return { data, headerBlocks: stored.bytes.slice(), firstRecord: { coffset, uoffset: 0 } };
  }
  // Only a block that also holds records is compressed anew.
  const rest = deflateBlocks(data.subarray(last.byteStart));
  return {
    data,
    headerBlocks: concatBytes([stored.bytes.subarray(0, last.storedStart), rest]),
    firstRecord: { coffset: last.coffset, uoffset: byteLength - last.byteStart },
  };
}

class GrowingBytes {
  byteLength = 0;
  readonly #memory: MemoryAccount | undefined;
  #bytes = new Uint8Array(65536);

  constructor(memory: MemoryAccount | undefined) {
    this.#memory = memory;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.byteLength);
  }

  append(piece: Uint8Array): void {
    const byteLength = this.byteLength + piece.length;
    if (byteLength > this.#bytes.length) {
      this.#bytes = growBytes(this.#bytes, { keptBytes: this.byteLength, byteLength, memory: this.#memory });
    }
    this.#bytes.set(piece, this.byteLength);
    this.byteLength = byteLength;
  }
}
