import type { VirtualOffset } from '@htskit/bgzf';
import { type BinningScheme, createBinningScheme } from '../binning/binning-scheme.js';
import { type WrittenTabixHeader, writeTabixHeader } from '../binning/tabix-header.js';
import { IndexError } from '../index-error.js';
import { BinChunks } from './bin-chunks.js';
import { ByteWriter } from './byte-writer.js';
import { WindowOffsets } from './window-offsets.js';

/** The formats of binning indexes. */
type BinningIndexFormat = 'BAI' | 'CSI' | 'TBI';

/** The position of a record, in the form of the spans of BAM and BCF records. */
export interface IndexedSpan {
  /** Index of the reference in the header, or −1 for an unplaced record. */
  readonly referenceId: number;
  /** 0-based start. −1, which means no position or a telomere, counts as 0. */
  readonly baseStart: number;
  /** Half-open end. */
  readonly baseEnd: number;
  /** Default true, which is right for variants. */
  readonly isMapped?: boolean;
}

/** Options of `BinningIndexBuilder`. */
export interface BinningIndexBuilderOptions {
  readonly format: BinningIndexFormat;
  /** CSI only: the smallest bins span 2^minShift bases, the top bin 2^(minShift + 3 depth). Default 14 and 5. */
  readonly minShift?: number;
  readonly depth?: number;
  /** Virtual offset of the first record. */
  readonly start: VirtualOffset;
  /** Number of references in the header. Records may name further references. Default 0. */
  readonly referenceCount?: number;
  /** Returns the name of a reference for error messages. Default: its id. */
  readonly referenceName?: (referenceId: number) => string;
  /** Limit of the uncompressed size of the index in bytes. Default 1 GiB. */
  readonly maxBytes?: number;
}

/** What is known only at the end of the file. */
export interface BinningIndexEnd {
  /** Virtual offset of the end of the file, just after the last block with data. */
  readonly end: VirtualOffset;
  /** Required for TBI and for the CSI of a text file. */
  readonly tabix?: WrittenTabixHeader;
}

const DEFAULT_MAX_BYTES = 2 ** 30;
const MAGICS = { BAI: 'BAI\u0001', CSI: 'CSI\u0001', TBI: 'TBI\u0001' };
const NONE = -1;

/** The bytes of a reference in the buffer, half-open. */
interface ReferencePart {
  readonly start: number;
  readonly end: number;
}

/**
 * Builds a BAI (SAMv1 §5.2), CSI (CSIv1) or TBI index from the records of a sorted file in their order. The result is
 * byte-identical to that of HTSlib 1.16. The builder holds the index and the bins of one reference in memory.
 *
 * @example
 * const builder = new BinningIndexBuilder({ format: 'BAI', start: { coffset: 350, uoffset: 0 }, referenceCount: 25 });
 * builder.add({ referenceId: 0, baseStart: 99, baseEnd: 249 }, { coffset: 350, uoffset: 212 });
 * const bytes = builder.finish({ end: { coffset: 562, uoffset: 0 } });
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
  /** The current reference, and the virtual offset of its first record. */
  #referenceId = NONE;
  #referenceStart: VirtualOffset;
  #chunks: BinChunks;
  #windows = new WindowOffsets();
  #mapped = 0;
  #unmapped = 0;
  #lastStart = 0;
  /** The bin of the last record, and the virtual offsets between which consecutive records in that bin lie. */
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
   * Adds the record that ends just before `end`. If the record ends with a block, `end` is the start of the next block.
   * Throws `IndexError` LIMIT_EXCEEDED, and INVALID_DATA for a record that is out of order or beyond the bases that the index
   * covers. The offset of the error is that of the record's block, and positions in its message are 1-based.
   */
  add(span: IndexedSpan, end: VirtualOffset): void {
    const { referenceId } = span;
    if (referenceId < 0) this.#addUnplaced();
    else this.#addPlaced(span);
    this.#runEnd = end;
  }

  /** Returns the uncompressed index. The builder cannot be used afterwards. Throws `IndexError` LIMIT_EXCEEDED. */
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
    // An empty reference: no bins and, except in CSI, no windows.
    const emptyReference = new Uint8Array(format === 'CSI' ? 4 : 8);
    file.ensureCapacity(written.length + this.#referenceCount * emptyReference.length);
    for (let referenceId = 0; referenceId < this.#referenceCount; referenceId++) {
      const part = this.#parts[referenceId];
      file.append(part === undefined ? emptyReference : written.subarray(part.start, part.end));
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
      throw this.#invalid(`not sorted: ${this.#place(referenceId, start)} follows position ${this.#lastStart + 1}`);
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
    if (end < start)
      throw this.#invalid(`the record at ${this.#place(referenceId, start)} ends before its start, at ${end}`);
    if (end <= span) return;
    const { format } = this.#options;
    const hint = format === 'CSI' ? 'use a larger minShift if the reference is that long' : 'use a CSI index';
    const record = `the record at ${this.#place(referenceId, start)}`;
    throw this.#invalid(`${record} ends at ${end}, beyond the ${span} bases of this ${format} index; ${hint}`);
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
      throw this.#invalid(`not sorted: a record of ${this.#nameOf(referenceId)} follows an unplaced record`);
    }
    if (this.#parts[referenceId] !== undefined) {
      throw this.#invalid(`not sorted: the records of ${this.#nameOf(referenceId)} are not consecutive`);
    }
    this.#referenceId = referenceId;
    this.#referenceCount = Math.max(this.#referenceCount, referenceId + 1);
    this.#referenceStart = this.#runEnd;
  }

  /** Adds the chunk of the last run of records, if there is one. */
  #endRun(end: VirtualOffset): void {
    if (this.#bin !== NONE) this.#chunks.add(this.#bin, this.#runStart, end);
  }

  /** Writes the current reference, if there is one. */
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

/** Returns the smallest bin that contains [start, end), or bin 0 for a record without bases at the edge of two bins. */
function binOf({ levels }: BinningScheme, start: number, end: number): number {
  for (let depth = levels.length - 1; depth > 0; depth--) {
    const level = levels[depth];
    if (level === undefined) break;
    const index = Math.floor(start / level.span);
    if (index === Math.floor((end - 1) / level.span)) return level.first + index;
  }
  return 0;
}

/** Returns the offset before which no record overlaps a bin that begins at `window` (CSIv1), or 0 if it is unknown. */
function loffset(windows: WindowOffsets, window: number): VirtualOffset {
  return (window < windows.count ? windows.at(window) : undefined) ?? { coffset: 0, uoffset: 0 };
}
