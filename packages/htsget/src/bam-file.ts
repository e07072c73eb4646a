import {
  type BgzfBlock,
  deflateBlocks,
  EOF_MARKER,
  endsWithEofMarker,
  inflateBlock,
  readChunks,
  streamBlocks,
  type VirtualOffset,
} from '@htskit/bgzf';
import { type BamHeader, bamHeaderLength, FormatError, parseBamHeader } from '@htskit/formats';
import type { ByteSource, ReadOptions } from '@htskit/storage';

/** What planning needs to know of a BAM file; depends on its bytes alone, so it may be kept as long as they last. */
export interface BamFile {
  readonly header: BamHeader;
  /** Rank in the header by reference name. */
  readonly referenceIds: ReadonlyMap<string, number>;
  /** The header alone, as BGZF blocks that hold nothing else. */
  readonly headerBlocks: Uint8Array;
  /** Where the first alignment record begins, if there is one. */
  readonly firstRecord: VirtualOffset;
  /** Where the records end: the EOF marker if there is one, else the end of the file. */
  readonly end: VirtualOffset;
}

export interface ReadBamFileOptions extends ReadOptions {
  /** Bytes of the object, as `stat` gives them. */
  readonly size: number;
  /** Refuse a header of more bytes, compressed or not. */
  readonly maxHeaderBytes: number;
  /** Refuse a header of more references. Default 2,000,000. */
  readonly maxReferences?: number;
}

const MAX_REFERENCES = 2_000_000;

/** Reads the header of a BAM file, which may end anywhere in a block (SAMv1 §4.1, §4.2), and finds its end. */
export async function readBamFile(source: ByteSource, options: ReadBamFileOptions): Promise<BamFile> {
  const { size, maxHeaderBytes, maxReferences = MAX_REFERENCES, ...readOptions } = options;
  const blocks = streamBlocks(readChunks(source.stream({ start: 0, end: size }, readOptions)));
  const { data, firstRecord } = await readHeaderData(blocks, maxHeaderBytes);
  const tail = await source.read({ start: Math.max(0, size - EOF_MARKER.length), end: size }, readOptions);
  const header = parseBamHeader(data, { maxReferences });
  return {
    header,
    referenceIds: new Map(header.references.map(({ name }, referenceId) => [name, referenceId])),
    headerBlocks: deflateBlocks(data),
    firstRecord,
    end: { coffset: endsWithEofMarker(tail) ? size - EOF_MARKER.length : size, uoffset: 0 },
  };
}

interface HeaderData {
  readonly data: Uint8Array;
  readonly firstRecord: VirtualOffset;
}

async function readHeaderData(blocks: AsyncIterable<BgzfBlock>, maxHeaderBytes: number): Promise<HeaderData> {
  const starts: BlockStart[] = [];
  const header = new HeaderBuffer();
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
  byteLength ??= header.measureNow();
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
  #bytes = new Uint8Array(65536);
  #nextMeasure = 0;

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
    return this.measureNow();
  }

  measureNow(): number | undefined {
    return bamHeaderLength(this.#bytes.subarray(0, this.byteLength));
  }

  take(byteLength: number): Uint8Array {
    return this.#bytes.subarray(0, byteLength);
  }
}
