import type { VirtualOffset } from '@htskit/bgzf';
import { type BinningScheme, createBinningScheme } from '../binning/binning-scheme.js';
import { IndexError } from '../index-error.js';
import { BinChunks } from './bin-chunks.js';
import { ByteWriter } from './byte-writer.js';
import { type WrittenTabixHeader, writeTabixHeader } from './tabix-settings.js';
import { WindowOffsets } from './window-offsets.js';

/** Formats of binning indexes. */
export type BinningIndexFormat = 'BAI' | 'CSI' | 'TBI';

/** Where a record lies, as the spans of BAM and BCF records say. */
export interface IndexedSpan {
  /** Rank of the reference, −1 for none. */
  readonly referenceId: number;
  /** 0-based; −1, which stands for no position and for a telomere, counts as 0. */
  readonly baseStart: number;
  /** Half-open. */
  readonly baseEnd: number;
  /** Default true, as for variants. */
  readonly isMapped?: boolean | undefined;
}

export interface BinningIndexBuilderOptions {
  readonly format: BinningIndexFormat;
  /** Of CSI: the smallest bins span 2^minShift bases, the one over everything 2^(minShift + 3 depth). By default 14, 5. */
  readonly minShift?: number | undefined;
  readonly depth?: number | undefined;
  /** Where the first record begins. */
  readonly start: VirtualOffset;
  /** References of the header; more are counted as records name them. Default 0. */
  readonly referenceCount?: number | undefined;
  /** What errors call a reference. By default its rank. */
  readonly referenceName?: ((referenceId: number) => string) | undefined;
  /** Refuse an index of more bytes, uncompressed. Default 1 GiB. */
  readonly maxBytes?: number | undefined;
}

/** What only the end of the file tells. */
export interface BinningIndexEnd {
  /** Where the file ends: behind the last block with data. */
  readonly end: VirtualOffset;
  /** Of TBI, and of CSI for text. */
  readonly tabix?: WrittenTabixHeader | undefined;
}

const DEFAULT_MAX_BYTES = 2 ** 30;
const MAGICS = { BAI: 'BAI\u0001', CSI: 'CSI\u0001', TBI: 'TBI\u0001' };
const NONE = -1;

/** Where the part of a reference stands among what was written. */
interface ReferencePart {
  readonly start: number;
  readonly end: number;
}

/**
 * Builds a BAI (SAMv1 §5.2), CSI (CSIv1) or TBI index from the records of a sorted file, one after another. Its bytes are
 * those that HTSlib 1.16 writes. What is held is the index, and the bins of one reference.
 */
export class BinningIndexBuilder {
  readonly #options: BinningIndexBuilderOptions;
  readonly #scheme: BinningScheme;
  readonly #windowSpan: number;
  readonly #writer: ByteWriter;
  readonly #maxBytes: number;
  readonly #parts: ReferencePart[] = [];
  #referenceCount: number;
  #unplacedCount = 0;
  /** The reference at hand, and where its first record begins. */
  #referenceId = NONE;
  #referenceStart: VirtualOffset;
  #chunks: BinChunks;
  #windows = new WindowOffsets();
  #mapped = 0;
  #unmapped = 0;
  #lastStart = 0;
  /** The bin of the last record, and where the run of records in it begins and ends. */
  #bin = NONE;
  #runStart: VirtualOffset;
  #runEnd: VirtualOffset;

  constructor(options: BinningIndexBuilderOptions) {
    const { format, start, referenceCount = 0, maxBytes = DEFAULT_MAX_BYTES } = options;
    const { minShift = 14, depth = 5 } = format === 'CSI' ? options : {};
    this.#options = options;
    this.#scheme = createBinningScheme({ minShift, depth });
    this.#windowSpan = 2 ** minShift;
    this.#maxBytes = maxBytes;
    this.#writer = new ByteWriter(maxBytes);
    this.#referenceCount = referenceCount;
    this.#chunks = new BinChunks(this.#scheme);
    this.#referenceStart = start;
    this.#runStart = start;
    this.#runEnd = start;
  }

  /**
   * Adds the record that ends at `end`, given as the place of the next byte: never the end of a block, but the start of what
   * follows. Throws `IndexError` INVALID_DATA for a record that is out of order or that the index cannot hold, with the
   * offset of the block that it begins in and, as users count them, positions from 1; and LIMIT_EXCEEDED.
   */
  add(span: IndexedSpan, end: VirtualOffset): void {
    const { referenceId } = span;
    if (referenceId < 0) this.#addUnplaced();
    else this.#addPlaced(span);
    this.#runEnd = end;
  }

  /** The index, uncompressed; the builder is done then. Throws LIMIT_EXCEEDED. */
  finish({ end, tabix }: BinningIndexEnd): Uint8Array<ArrayBuffer> {
    this.#closeReference(end);
    const { format, minShift = 14, depth = 5 } = this.#options;
    const file = new ByteWriter(this.#maxBytes);
    file.append(Uint8Array.from(MAGICS[format], (letter) => letter.charCodeAt(0)));
    const header = new ByteWriter(this.#maxBytes);
    if (tabix !== undefined) writeTabixHeader(header, tabix);
    if (format === 'CSI') {
      for (const value of [minShift, depth, header.byteLength]) file.int32(value);
      file.append(header.bytes);
    }
    file.int32(this.#referenceCount);
    if (format === 'TBI') file.append(header.bytes);
    const written = this.#writer.bytes;
    // No bins, and but for CSI no windows.
    const noReference = new Uint8Array(format === 'CSI' ? 4 : 8);
    file.makeRoom(written.length + this.#referenceCount * noReference.length);
    for (let referenceId = 0; referenceId < this.#referenceCount; referenceId++) {
      const part = this.#parts[referenceId];
      file.append(part === undefined ? noReference : written.subarray(part.start, part.end));
    }
    file.uint64(this.#unplacedCount);
    return file.bytes;
  }

  #addUnplaced(): void {
    this.#closeReference(this.#runEnd);
    this.#unplacedCount++;
  }

  #addPlaced(span: IndexedSpan): void {
    const { referenceId, isMapped = true } = span;
    const start = Math.max(0, span.baseStart);
    const end = Math.max(1, span.baseEnd);
    this.#checkSpan(referenceId, start, end);
    if (referenceId !== this.#referenceId) this.#openReference(referenceId);
    else if (start < this.#lastStart) {
      throw this.#invalid(`${this.#place(referenceId, start)} follows position ${this.#lastStart + 1}: not sorted`);
    }
    this.#lastStart = start;
    const firstWindow = Math.floor(start / this.#windowSpan);
    this.#windows.add(firstWindow, Math.floor((end - 1) / this.#windowSpan) + 1, this.#runEnd);
    const bin = binOf(this.#scheme, start, end);
    if (bin !== this.#bin) {
      this.#endRun(this.#runEnd);
      this.#bin = bin;
      this.#runStart = this.#runEnd;
    }
    if (isMapped) this.#mapped++;
    else this.#unmapped++;
  }

  #checkSpan(referenceId: number, start: number, end: number): void {
    const { span } = this.#scheme;
    if (end < start) throw this.#invalid(`the record at ${this.#place(referenceId, start)} ends before it, at ${end}`);
    if (end <= span) return;
    const { format } = this.#options;
    const hint = format === 'CSI' ? 'is it within its reference, or minShift too small?' : 'a CSI index can hold it';
    const record = `the record at ${this.#place(referenceId, start)}`;
    throw this.#invalid(`${record} ends at ${end}, beyond the ${span} bases of this ${format} index: ${hint}`);
  }

  #place(referenceId: number, start: number): string {
    return `position ${start + 1} of ${this.#nameOf(referenceId)}`;
  }

  #nameOf(referenceId: number): string {
    return this.#options.referenceName?.(referenceId) ?? `reference ${referenceId}`;
  }

  #openReference(referenceId: number): void {
    this.#closeReference(this.#runEnd);
    if (this.#unplacedCount > 0) {
      throw this.#invalid(`a record of ${this.#nameOf(referenceId)} follows one without a reference: not sorted`);
    }
    if (this.#parts[referenceId] !== undefined) {
      throw this.#invalid(`the records of ${this.#nameOf(referenceId)} do not stand together: not sorted`);
    }
    this.#referenceId = referenceId;
    this.#referenceCount = Math.max(this.#referenceCount, referenceId + 1);
    this.#referenceStart = this.#runEnd;
  }

  /** Ends the chunk of the last records, if there are any. */
  #endRun(end: VirtualOffset): void {
    if (this.#bin !== NONE) this.#chunks.add(this.#bin, this.#runStart, end);
  }

  /** Writes the part of the reference at hand, if there is one. */
  #closeReference(end: VirtualOffset): void {
    if (this.#referenceId === NONE) return;
    this.#endRun(end);
    const isCsi = this.#options.format === 'CSI';
    const windows = this.#windows;
    const start = this.#writer.byteLength;
    const counts = { mapped: this.#mapped, unmapped: this.#unmapped };
    this.#chunks.write(this.#writer, {
      pseudoBin: { start: this.#referenceStart, end, counts },
      ...(isCsi && { loffset: (window: number) => loffset(windows, window) }),
    });
    if (!isCsi) windows.write(this.#writer);
    this.#parts[this.#referenceId] = { start, end: this.#writer.byteLength };
    this.#referenceId = NONE;
    this.#bin = NONE;
    this.#chunks = new BinChunks(this.#scheme);
    this.#windows = new WindowOffsets();
    this.#mapped = 0;
    this.#unmapped = 0;
  }

  #invalid(message: string): IndexError {
    return new IndexError('INVALID_DATA', message, { offset: this.#runEnd.coffset });
  }
}

/** The smallest bin that spans [start, end); the whole reference for a record without a base at the edge of two bins. */
function binOf({ levels }: BinningScheme, start: number, end: number): number {
  for (let depth = levels.length - 1; depth > 0; depth--) {
    const level = levels[depth];
    if (level === undefined) break;
    const rank = Math.floor(start / level.span);
    if (rank === Math.floor((end - 1) / level.span)) return level.first + rank;
  }
  return 0;
}

/** Nothing in front of it need be read to find what overlaps a bin that begins at `window` (CSIv1). */
function loffset(windows: WindowOffsets, window: number): VirtualOffset {
  return (window < windows.count ? windows.at(window) : undefined) ?? { coffset: 0, uoffset: 0 };
}
