import {
  deflateBlocks,
  EOF_MARKER,
  endsWithEofMarker,
  inflateBlock,
  readBlock,
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
  /** Refuse a header of more uncompressed bytes. */
  readonly maxHeaderBytes: number;
}

/** Reads the header of a BAM file, which may end anywhere in a block (SAMv1 §4.1, §4.2), and finds its end. */
export async function readBamFile(source: ByteSource, options: ReadBamFileOptions): Promise<BamFile> {
  const { size, maxHeaderBytes, ...readOptions } = options;
  const { data, firstRecord } = await readHeaderData(source, maxHeaderBytes, readOptions);
  const tail = await source.read({ start: Math.max(0, size - EOF_MARKER.length), end: size }, readOptions);
  const header = parseBamHeader(data);
  return {
    header,
    referenceIds: new Map(header.references.map(({ name }, referenceId) => [name, referenceId])),
    headerBlocks: deflateBlocks(data),
    firstRecord,
    end: { coffset: endsWithEofMarker(tail) ? size - EOF_MARKER.length : size, uoffset: 0 },
  };
}

async function readHeaderData(
  source: ByteSource,
  maxHeaderBytes: number,
  options: ReadOptions,
): Promise<{ data: Uint8Array; firstRecord: VirtualOffset }> {
  const blocks: { coffset: number; byteStart: number }[] = [];
  const header = new HeaderBuffer();
  let coffset = 0;
  for (;;) {
    const block = await readBlock(source, coffset, options);
    blocks.push({ coffset, byteStart: header.byteLength });
    if (block !== undefined) {
      header.append(inflateBlock(block.bytes, { coffset }));
      coffset += block.bytes.length;
    }
    const byteLength = header.measure({ isLast: block === undefined });
    if ((byteLength ?? header.byteLength) > maxHeaderBytes) {
      throw new FormatError('LIMIT_EXCEEDED', `the header is longer than ${maxHeaderBytes} bytes`, { offset: 0 });
    }
    if (byteLength !== undefined) {
      blocks.push({ coffset, byteStart: header.byteLength });
      return { data: header.take(byteLength), firstRecord: locate(blocks, byteLength) };
    }
    if (block === undefined) {
      throw new FormatError('TRUNCATED', 'the file ends inside its header', { offset: header.byteLength });
    }
  }
}

/** The virtual offset of uncompressed byte `byteOffset`, given where each block begins. */
function locate(blocks: readonly { coffset: number; byteStart: number }[], byteOffset: number): VirtualOffset {
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

  /** Bytes of the whole header, or undefined while more are needed to tell. */
  measure({ isLast }: { readonly isLast: boolean }): number | undefined {
    if (this.byteLength < this.#nextMeasure && !isLast) return undefined;
    this.#nextMeasure = this.byteLength * 1.125;
    return bamHeaderLength(this.#bytes.subarray(0, this.byteLength));
  }

  take(byteLength: number): Uint8Array {
    return this.#bytes.subarray(0, byteLength);
  }
}
