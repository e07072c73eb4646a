import {
  type BgzfBlock,
  deflateBlocks,
  EOF_MARKER,
  endsWithEofMarker,
  inflateBlock,
  streamBlocks,
  type VirtualOffset,
} from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import type { ByteSource, ReadOptions } from '@htskit/io';
import { readChunks } from '@htskit/io';
import { type BgzfFormat, RECORD_FORMATS, type RecordFormat, type RecordHeader } from './record-format.js';

/** What planning needs to know of a BAM, BCF or VCF file; depends on its bytes alone, so it may be kept as long as they last. */
export interface BgzfFile {
  readonly format: BgzfFormat;
  readonly header: RecordHeader;
  /** The header alone, as BGZF blocks that hold nothing else. */
  readonly headerBlocks: Uint8Array;
  /** Where the first record begins, if there is one. */
  readonly firstRecord: VirtualOffset;
  /** Where the records end: the EOF marker if there is one, else the end of the file. */
  readonly end: VirtualOffset;
  /** Bytes of the file. */
  readonly size: number;
}

export interface ReadFileOptions extends ReadOptions {
  /** Bytes of the object, as `stat` gives them. */
  readonly size: number;
  /** Refuse a header of more bytes, compressed or not. */
  readonly maxHeaderBytes: number;
  /** Refuse a header of more references. Default 2,000,000. */
  readonly maxReferences?: number;
}

/** Default of `maxReferences`. */
export const MAX_REFERENCES = 2_000_000;

/** Reads the header of a file, which may end anywhere in a block (SAMv1 §4.1, §4.2), and finds its end. */
export async function readBgzfFile(
  source: ByteSource,
  { format, ...options }: ReadFileOptions & { readonly format: BgzfFormat },
): Promise<BgzfFile> {
  const { size, maxHeaderBytes, maxReferences = MAX_REFERENCES, ...readOptions } = options;
  const blocks = streamBlocks(readChunks(source.stream({ start: 0, end: size }, readOptions)));
  const { data, firstRecord } = await readHeaderData(blocks, RECORD_FORMATS[format], maxHeaderBytes);
  const tail = await source.read({ start: Math.max(0, size - EOF_MARKER.length), end: size }, readOptions);
  return {
    format,
    header: RECORD_FORMATS[format].parseHeader(data, { maxReferences }),
    headerBlocks: deflateBlocks(data),
    firstRecord,
    end: { coffset: endsWithEofMarker(tail) ? size - EOF_MARKER.length : size, uoffset: 0 },
    size,
  };
}

interface HeaderData {
  readonly data: Uint8Array;
  readonly firstRecord: VirtualOffset;
}

async function readHeaderData(
  blocks: AsyncIterable<BgzfBlock>,
  format: RecordFormat,
  maxHeaderBytes: number,
): Promise<HeaderData> {
  const starts: BlockStart[] = [];
  const header = new HeaderBuffer(format);
  let coffset = 0;
  let byteLength: number | undefined;
  for await (const block of blocks) {
    starts.push({ coffset, byteStart: header.byteLength });
    header.append(inflateBlock(block.bytes, { coffset }));
    byteLength = header.measure();
    // Compressed bytes, too: empty blocks make a file longer, but never the header.
    if (Math.max(byteLength ?? header.byteLength, coffset) > maxHeaderBytes) {
      throw new FormatError('LIMIT_EXCEEDED', `the header is longer than ${maxHeaderBytes} bytes`, { offset: 0 });
    }
    coffset += block.bytes.length;
    if (byteLength !== undefined) break;
  }
  byteLength ??= header.measureNow({ isWhole: true });
  if (byteLength === undefined) {
    throw new FormatError('TRUNCATED', 'the file ends inside its header', { offset: header.byteLength });
  }
  starts.push({ coffset, byteStart: header.byteLength });
  return { data: header.take(byteLength), firstRecord: locate(starts, byteLength) };
}

/** Where a block begins in the file, and its data among all uncompressed data. */
interface BlockStart {
  readonly coffset: number;
  readonly byteStart: number;
}

/** The virtual offset of uncompressed byte `byteOffset`, given where each block begins. */
function locate(blocks: readonly BlockStart[], byteOffset: number): VirtualOffset {
  const block = blocks.findLast(({ byteStart }) => byteStart <= byteOffset) ?? { coffset: 0, byteStart: 0 };
  return { coffset: block.coffset, uoffset: byteOffset - block.byteStart };
}

/** A growing buffer that is measured each time it has grown by an eighth, so that a long header costs linear time. */
class HeaderBuffer {
  byteLength = 0;
  readonly #format: RecordFormat;
  #bytes = new Uint8Array(65536);
  #nextMeasure = 0;

  constructor(format: RecordFormat) {
    this.#format = format;
  }

  append(piece: Uint8Array): void {
    const byteLength = this.byteLength + piece.length;
    if (byteLength > this.#bytes.length) {
      const grown = new Uint8Array(byteLength * 2);
      grown.set(this.#bytes.subarray(0, this.byteLength));
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.byteLength);
    this.byteLength = byteLength;
  }

  /** Bytes of the whole header, or undefined while more are needed to tell, or it is not yet time to look again. */
  measure(): number | undefined {
    if (this.byteLength < this.#nextMeasure) return undefined;
    this.#nextMeasure = this.byteLength * 1.125;
    return this.measureNow({ isWhole: false });
  }

  /** The same, whether or not it is time; `isWhole` says that nothing will follow. */
  measureNow(options: { readonly isWhole: boolean }): number | undefined {
    return this.#format.headerLength(this.#bytes.subarray(0, this.byteLength), options);
  }

  take(byteLength: number): Uint8Array {
    return this.#bytes.subarray(0, byteLength);
  }
}
