import type { VirtualOffset } from '@htskit/bgzf';
import { FormatError, parseContigLine } from '@htskit/formats';
import { relocateError } from '@htskit/formats/internal';
import { IndexError } from '../index-error.js';
import { BinningIndexBuilder } from './binning-index-builder.js';
import { BlockWindow } from './block-window.js';
import { compressIndex } from './compress-index.js';
import { checkMinShift, csiDepth, DEFAULT_MIN_SHIFT } from './csi-depth.js';
import { type IndexStreamOptions, inflateBlocks, MAX_HEADER_BYTES } from './inflated-blocks.js';
import { SequenceNames } from './sequence-names.js';
import { parseTabixLine } from './tabix-line.js';
import { TABIX_SETTINGS, type TabixFormat, type TabixSettings } from './tabix-settings.js';

export interface IndexVcfOptions extends IndexStreamOptions {
  /** Default TBI, or CSI where `minShift` is given. TBI holds positions up to 2^29. */
  readonly format?: 'TBI' | 'CSI' | undefined;
  /** Of CSI: the smallest bins span 2^minShift bases, 1 to 30. Default 14. */
  readonly minShift?: number | undefined;
}

export interface IndexTabixOptions extends IndexVcfOptions {
  /** How lines are read: as tabix reads that format, or as the settings say. */
  readonly settings: TabixFormat | TabixSettings;
}

/** Bytes of a line, and a block. */
const MAX_WINDOW_BYTES = 2 ** 28 + 2 ** 17;
/** A CSI index of text covers at least this many bases, as a power of two: tabix cannot know before it has read all. */
const LEAST_SPAN_SHIFT = 31;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const GREATER_THAN = 0x3e;

/** The TBI or CSI index of a bgzipped VCF file that is sorted by position, as stored. Throws as `indexTabix`. */
export async function indexVcf(
  chunks: AsyncIterable<Uint8Array>,
  options: IndexVcfOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  return indexTabix(chunks, { ...options, settings: 'vcf' });
}

/**
 * The TBI or CSI index of bgzipped tab-delimited text that is sorted by position, as stored; uncompressed, its bytes are those
 * that tabix 1.16 writes. Blank lines are passed over, as are lines `browser` and `track` of BED, and the sequences that may
 * follow the features of GFF3: from `##FASTA`, or a line that begins with `>`, to the end. Throws `IndexError`
 * INVALID_DATA for lines out of order or beyond what the format holds, with their offset in the text, INVALID_MAGIC for a file that is not BGZF, `FormatError`
 * INVALID_DATA for a line that is no record, BgzfError, and RangeError for a `minShift` that is none.
 */
export async function indexTabix(
  chunks: AsyncIterable<Uint8Array>,
  options: IndexTabixOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const indexer = new LineIndexer(options);
  const window = new BlockWindow(MAX_WINDOW_BYTES);
  /** Bytes of the window in which no line ends. */
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
      indexer.passOver(window.offsetAfter(data.length));
      start = data.length;
    }
    window.skip(start);
    searched = data.length - start;
  }
  if (searched > 0) indexer.add(window.data, window.offsetAfter(searched));
  return compressIndex(indexer.finish());
}

/** Takes the lines of a text, one after another. */
class LineIndexer {
  readonly #options: IndexTabixOptions;
  readonly #settings: TabixSettings;
  readonly #minShift: number;
  readonly #isCsi: boolean;
  readonly #names: SequenceNames;
  readonly #maxHeaderBytes: number;
  #isDone = false;
  #builder: BinningIndexBuilder | undefined;
  #lineCount = 0;
  /** Uncompressed bytes in front of the line at hand, and where it begins in the file. */
  #offset = 0;
  #end: VirtualOffset = { coffset: 0, uoffset: 0 };
  /** Where the header ends: nothing but its lines came so far. */
  #headerEnd: VirtualOffset = { coffset: 0, uoffset: 0 };
  #longest = 0;

  constructor(options: IndexTabixOptions) {
    const { settings, minShift, format = minShift === undefined ? 'TBI' : 'CSI' } = options;
    this.#maxHeaderBytes = options.maxHeaderBytes ?? MAX_HEADER_BYTES;
    this.#names = new SequenceNames(this.#maxHeaderBytes);
    if (minShift !== undefined) checkMinShift(minShift);
    this.#options = options;
    this.#settings = typeof settings === 'string' ? TABIX_SETTINGS[settings] : settings;
    this.#minShift = minShift ?? DEFAULT_MIN_SHIFT;
    this.#isCsi = format === 'CSI';
  }

  /** Whether nothing but sequences follows, whose lines, which may be long, need not be told apart. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Takes a line without its line feed, and where the next one begins. */
  add(line: Uint8Array, end: VirtualOffset): void {
    this.#isDone ||= this.#options.settings === 'gff' && isFasta(line);
    if (this.#isDone) {
      this.passOver(end);
      return;
    }
    this.#lineCount++;
    const { metaCharacter, skippedLines } = this.#settings;
    if (this.#lineCount <= skippedLines || line[0] === metaCharacter) this.#addHeaderLine(line, end);
    else this.#addRecord(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line, end);
    this.#offset += line.length + 1;
    this.#end = end;
  }

  /** Takes what holds no record, and where it ends. */
  passOver(end: VirtualOffset): void {
    this.#end = end;
  }

  finish(): Uint8Array<ArrayBuffer> {
    const builder = this.#builder ?? this.#createBuilder();
    return builder.finish({ end: this.#end, tabix: { ...this.#settings, names: this.#names.names } });
  }

  #addHeaderLine(line: Uint8Array, end: VirtualOffset): void {
    if (this.#builder !== undefined) return;
    if (this.#offset + line.length > this.#maxHeaderBytes) {
      throw new FormatError('LIMIT_EXCEEDED', `the header is longer than ${this.#maxHeaderBytes} bytes`, { offset: 0 });
    }
    this.#headerEnd = end;
    if (this.#isCsi) this.#longest = Math.max(this.#longest, referenceLength(line, this.#settings.preset));
  }

  #addRecord(line: Uint8Array, end: VirtualOffset): void {
    this.#builder ??= this.#createBuilder();
    if (this.#isPassedOver(line)) return;
    try {
      const { nameStart, nameEnd, baseStart, baseEnd } = parseTabixLine(line, this.#settings);
      const referenceId = this.#names.idOf(line.subarray(nameStart, nameEnd));
      this.#builder.add({ referenceId, baseStart, baseEnd }, end);
    } catch (error) {
      throw this.#inLine(error);
    }
  }

  /** The error, with the line that it is about. */
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
      referenceName: (referenceId) => new TextDecoder().decode(this.#names.names[referenceId]),
      maxBytes: this.#options.maxIndexBytes,
    });
  }

  #isPassedOver(line: Uint8Array): boolean {
    if (line.length === 0) return true;
    return this.#settings.isZeroBased && (startsWith(line, 'track') || startsWith(line, 'browser'));
  }
}

/** Whether sequences begin here (GFF3, `##FASTA`). */
function isFasta(line: Uint8Array): boolean {
  return line[0] === GREATER_THAN || startsWith(line, '##FASTA');
}

/** Whether a line begins with a word and white space. */
function startsWith(line: Uint8Array, word: string): boolean {
  for (let at = 0; at < word.length; at++) if (line[at] !== word.charCodeAt(at)) return false;
  return [undefined, 0x20, 0x09, CARRIAGE_RETURN].includes(line[word.length]);
}

const SAM_LENGTH = /^@SQ\t(?:.*\t)?LN:(\d+)/;

/** The length of the reference that a header line declares; 0 for other lines. */
function referenceLength(line: Uint8Array, preset: TabixSettings['preset']): number {
  if (preset === 'generic') return 0;
  const text = new TextDecoder().decode(line);
  if (preset === 'VCF') return parseContigLine(text)?.length ?? 0;
  const length = Number(SAM_LENGTH.exec(text)?.[1] ?? 0);
  return Number.isSafeInteger(length) ? length : 0;
}
