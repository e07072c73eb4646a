import type { VirtualOffset } from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import { parseContigLine, relocateError } from '@htskit/formats/internal';
import { decodeText } from '@htskit/io';
import { checkMinShift, csiDepth, DEFAULT_MIN_SHIFT } from '../binning/binning-scheme.js';
import { TABIX_SETTINGS, type TabixFormat, type TabixSettings } from '../binning/tabix-header.js';
import { IndexError } from '../index-error.js';
import { BinningIndexBuilder } from './binning-index-builder.js';
import { compressIndex } from './byte-writer.js';
import {
  BLOCKS_BYTES,
  BlockWindow,
  type IndexStreamOptions,
  inflateBlocks,
  MAX_HEADER_BYTES,
  MAX_RECORD_BYTES,
} from './inflated-blocks.js';
import { SequenceNames, type TabixLineSpan } from './tabix-line.js';
import { TabixRecords } from './tabix-records.js';

/** Options of `indexVcf`. */
export interface IndexVcfOptions extends IndexStreamOptions {
  /** Default TBI, which covers 2^29 bases, or CSI if `minShift` is set. */
  readonly format?: 'TBI' | 'CSI';
  /** CSI only: the smallest bins span 2^minShift bases, from 1 to 30. Default 14. */
  readonly minShift?: number;
}

/** Options of `indexTabix`. */
export interface IndexTabixOptions extends IndexVcfOptions {
  /** How lines are read: a preset of tabix, or the columns. */
  readonly settings: TabixFormat | TabixSettings;
}

/** tabix writes a CSI that covers at least 2^31 bases, because it does not know the positions before it has read them. */
const LEAST_SPAN_SHIFT = 31;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Indexes a coordinate-sorted, bgzipped VCF file and returns the TBI or CSI file. Throws the errors of `indexTabix`.
 *
 * @example
 * writeFileSync('calls.vcf.gz.tbi', await indexVcf(createReadStream('calls.vcf.gz')));
 */
export async function indexVcf(
  chunks: AsyncIterable<Uint8Array>,
  options: IndexVcfOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  return indexTabix(chunks, { ...options, settings: 'vcf' });
}

/**
 * Indexes coordinate-sorted, bgzipped, tab-delimited text and returns the TBI or CSI file. Uncompressed, it is byte-identical
 * to that of tabix 1.16; for VCF 4.4 and later, which it does not know, the lengths of symbolic alleles count. Blank lines, the `browser` and `track` lines of BED, and the sequences after the features of GFF3,
 * from `##FASTA` or a line that begins with `>`, are skipped. Throws `IndexError` INVALID_DATA, with an offset in the text,
 * for lines that are out of order or beyond the bases that the format covers and INVALID_MAGIC if the file is not BGZF,
 * `FormatError` INVALID_DATA for a line that is not a record, `BgzfError`, and RangeError for an invalid `minShift`.
 *
 * @example
 * writeFileSync('genes.gff.gz.tbi', await indexTabix(createReadStream('genes.gff.gz'), { settings: 'gff' }));
 */
export async function indexTabix(
  chunks: AsyncIterable<Uint8Array>,
  options: IndexTabixOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const indexer = new LineIndexer(options);
  const { maxRecordBytes = MAX_RECORD_BYTES, memory } = options;
  const window = new BlockWindow({ maxBytes: maxRecordBytes + BLOCKS_BYTES, memory });
  /** Bytes of the window that are known to contain no line feed. */
  let searched = 0;
  for await (const block of inflateBlocks(chunks, options)) {
    window.add(block);
    const { data } = window;
    let start = 0;
    let end = data.indexOf(LINE_FEED, searched);
    for (; end !== -1 && !indexer.isDone; end = data.indexOf(LINE_FEED, start)) {
      indexer.add(data.subarray(start, end), window.offsetAfter(end + 1));
      start = end + 1;
    }
    if (indexer.isDone && data.length > 0) {
      indexer.skipTo(window.offsetAfter(data.length));
      start = data.length;
    }
    window.skip(start);
    searched = data.length - start;
  }
  if (searched > 0) indexer.add(window.data, window.offsetAfter(searched));
  return compressIndex(indexer.finish());
}

/** Indexes the lines of a text in order. */
class LineIndexer {
  readonly #options: IndexTabixOptions;
  readonly #settings: TabixSettings;
  readonly #minShift: number;
  readonly #isCsi: boolean;
  readonly #names: SequenceNames;
  readonly #maxHeaderBytes: number;
  readonly #records: TabixRecords;
  #builder: BinningIndexBuilder | undefined;
  #lineCount = 0;
  /** Offset of the current line in the uncompressed text, and its virtual offset. */
  #offset = 0;
  #end: VirtualOffset = { coffset: 0, uoffset: 0 };
  /** Virtual offset of the end of the header. */
  #headerEnd: VirtualOffset = { coffset: 0, uoffset: 0 };
  #longest = 0;

  constructor(options: IndexTabixOptions) {
    const { settings, minShift, format = minShift === undefined ? 'TBI' : 'CSI' } = options;
    this.#maxHeaderBytes = options.maxHeaderBytes ?? MAX_HEADER_BYTES;
    this.#names = new SequenceNames(this.#maxHeaderBytes);
    if (minShift !== undefined) checkMinShift(minShift);
    this.#options = options;
    this.#settings = typeof settings === 'string' ? TABIX_SETTINGS[settings] : settings;
    this.#records = new TabixRecords(this.#settings);
    this.#minShift = minShift ?? DEFAULT_MIN_SHIFT;
    this.#isCsi = format === 'CSI';
  }

  /** Whether only sequences follow, which need not be split into lines. */
  get isDone(): boolean {
    return this.#records.isDone;
  }

  /** Adds a line without its line feed. `end` is the virtual offset of the next line. */
  add(line: Uint8Array, end: VirtualOffset): void {
    const { metaCharacter, skippedLines } = this.#settings;
    const isSkipped = this.#lineCount < skippedLines;
    this.#lineCount++;
    const content = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
    const span = isSkipped ? undefined : this.#parse(content);
    if (!this.isDone && (isSkipped || line[0] === metaCharacter)) this.#addHeaderLine(line, end);
    else if (!this.isDone) this.#builder ??= this.#createBuilder();
    if (span !== undefined) this.#addRecord(content, span, end);
    this.#offset += line.length + 1;
    this.#end = end;
  }

  /** Skips text without records that ends at `end`. */
  skipTo(end: VirtualOffset): void {
    this.#end = end;
  }

  finish(): Uint8Array<ArrayBuffer> {
    const builder = this.#builder ?? this.#createBuilder();
    return builder.finish({ end: this.#end, tabix: { ...this.#settings, names: this.#names.names } });
  }

  #addHeaderLine(line: Uint8Array, end: VirtualOffset): void {
    if (this.#builder !== undefined) return;
    if (this.#offset + line.length > this.#maxHeaderBytes) {
      throw new FormatError('LIMIT_EXCEEDED', `the header exceeds the limit of ${this.#maxHeaderBytes} bytes`, {
        offset: 0,
      });
    }
    this.#headerEnd = end;
    if (this.#isCsi) this.#longest = Math.max(this.#longest, referenceLength(line, this.#settings.preset));
  }

  #parse(line: Uint8Array): TabixLineSpan | undefined {
    try {
      return this.#records.parse(line);
    } catch (error) {
      throw this.#inLine(error);
    }
  }

  #addRecord(line: Uint8Array, { nameStart, nameEnd, baseStart, baseEnd }: TabixLineSpan, end: VirtualOffset): void {
    this.#builder ??= this.#createBuilder();
    try {
      const referenceId = this.#names.idOf(line.subarray(nameStart, nameEnd));
      this.#builder.add({ referenceId, baseStart, baseEnd }, end);
    } catch (error) {
      throw this.#inLine(error);
    }
  }

  /** Adds the number and the offset of the line to an error. */
  #inLine(error: unknown): unknown {
    const where = `line ${this.#lineCount}: `;
    if (error instanceof FormatError) return relocateError(error, this.#offset, where);
    if (!(error instanceof IndexError) || error.code !== 'INVALID_DATA') return error;
    const message = error.message.replace(/ \(at byte \d+\)$/, '');
    return new IndexError(error.code, where + message, { offset: this.#offset, cause: error });
  }

  #createBuilder(): BinningIndexBuilder {
    const minShift = this.#minShift;
    const leastDepth = Math.floor((LEAST_SPAN_SHIFT - minShift + 2) / 3);
    return new BinningIndexBuilder({
      format: this.#isCsi ? 'CSI' : 'TBI',
      ...(this.#isCsi && { minShift, depth: csiDepth(minShift, this.#longest, leastDepth) }),
      start: this.#headerEnd,
      referenceName: (referenceId) => decodeText(this.#names.names[referenceId] ?? new Uint8Array(0)),
      maxBytes: this.#options.maxIndexBytes,
    });
  }
}

const SAM_LENGTH = /^@SQ\t(?:.*\t)?LN:(\d+)/;

/** Returns the length of the reference that a header line declares, or 0 for other lines. */
function referenceLength(line: Uint8Array, preset: TabixSettings['preset']): number {
  if (preset === 'generic') return 0;
  const text = decodeText(line);
  if (preset === 'VCF') return parseContigLine(text)?.length ?? 0;
  const length = Number(SAM_LENGTH.exec(text)?.[1] ?? 0);
  return Number.isSafeInteger(length) ? length : 0;
}
