import { createZlibInflater } from '@htskit/bgzf/internal';
import type { ByteRange, ByteSource } from '@htskit/io';
import { FormatError, invalidData } from '../format-error.js';
import { type BaseInterval, BigWigTrees, type NamedReference } from './big-wig-trees.js';
import { readOffset, readPieces, toView } from './read-pieces.js';

const MAGIC = 0x888ffc26;
const SWAPPED_MAGIC = 0x26fc8f88;
const HEADER_BYTES = 64;
const ZOOM_HEADER_BYTES = 24;
/** UCSC's programs write ten. */
const MAX_ZOOM_LEVELS = 64;
/** The longest block, before and after compression, that the inflater takes. Those of UCSC's programs have up to 32 KiB. */
const MAX_BLOCK_BYTES = 2 ** 16;
const SUMMARY_BYTES = 32;
const SECTION_HEADER_BYTES = 24;
/** Bytes of a run by the type of its section: bedGraph, variable step and fixed step. */
const RUN_BYTES = [0, 12, 8, 4] as const;

/** Summaries of runs, each of at most as many bases as `reduction`. Those of a lower level have fewer bases. */
export interface BigWigZoomLevel {
  readonly reduction: number;
  /** The offset of the R-tree. */
  readonly indexOffset: number;
}

/** Called for each summary or run: its bases [start, end), the sum of their values and the greatest one. */
export type VisitBigWigValues = (start: number, end: number, sum: number, maximum: number) => void;

interface ReaderParts {
  readonly source: ByteSource;
  readonly version: string | undefined;
  readonly header: DataView;
  readonly levels: readonly BigWigZoomLevel[];
  /** Absent in files of older programs. */
  readonly coveredBases: number;
}

/**
 * Opens a bigWig file to read its summaries and runs, as those of UCSC's programs and of `BigWigWriter`. Reads the header. Rejects with
 * `FormatError` for other data, and for files in the byte order of big-endian machines, and with the errors of the source.
 */
export async function openBigWig(
  source: ByteSource,
  { version }: { readonly version?: string | undefined } = {},
): Promise<BigWigReader> {
  const read = async (start: number, length: number): Promise<DataView> => {
    const view = toView(await source.read({ start, end: start + length }, { version }));
    if (view.byteLength === length) return view;
    throw new FormatError('TRUNCATED', 'the header of a bigWig file is incomplete', { offset: start });
  };
  const header = await read(0, HEADER_BYTES);
  const magic = header.getUint32(0, true);
  if (magic === SWAPPED_MAGIC) throw new FormatError('UNSUPPORTED', 'the bigWig file is big-endian', { offset: 0 });
  if (magic !== MAGIC) throw new FormatError('INVALID_MAGIC', 'not a bigWig file', { offset: 0 });
  const count = header.getUint16(6, true);
  if (count > MAX_ZOOM_LEVELS) throw invalidData(`${count} zoom levels are more than ${MAX_ZOOM_LEVELS}`, 6);
  const levels = toLevels(await read(HEADER_BYTES, count * ZOOM_HEADER_BYTES), count);
  const totalOffset = readOffset(header, 44);
  const coveredBases = totalOffset === 0 ? 0 : readOffset(await read(totalOffset, 8), 0);
  return new BigWigReader({ source, version, header, levels, coveredBases });
}

/** A bigWig file that is open. Nothing needs to be closed but its source. */
export class BigWigReader {
  /** In ascending order of their reductions. */
  readonly levels: readonly BigWigZoomLevel[];
  /** The number of bases with a value, or 0 if the file does not state it. */
  readonly coveredBases: number;
  /** The offset of the R-tree of the runs themselves. */
  readonly runsIndexOffset: number;
  readonly #source: ByteSource;
  readonly #version: string | undefined;
  readonly #trees: BigWigTrees;
  readonly #chromosomesOffset: number;
  readonly #isCompressed: boolean;

  constructor({ source, version, header, levels, coveredBases }: ReaderParts) {
    this.levels = levels;
    this.coveredBases = coveredBases;
    this.runsIndexOffset = readOffset(header, 24);
    this.#source = source;
    this.#version = version;
    this.#trees = new BigWigTrees(source, version);
    this.#chromosomesOffset = readOffset(header, 8);
    this.#isCompressed = header.getUint32(52, true) > 0;
  }

  /** Returns the id and the length of a reference, or undefined if the file has none of this name. */
  find(name: string): Promise<NamedReference | undefined> {
    return this.#trees.find(this.#chromosomesOffset, name);
  }

  /** Returns the number of blocks of runs, as the R-tree states it. */
  runBlockCount(): Promise<number> {
    return this.#trees.itemCount(this.runsIndexOffset);
  }

  /**
   * Returns where the blocks are that have bases of intervals, which are in ascending order and disjoint. Returns undefined if these
   * blocks, or the nodes of the R-tree that lead to them, have more than `maxBytes`.
   */
  locate(
    indexOffset: number,
    intervals: readonly BaseInterval[],
    options: { readonly referenceId: number; readonly maxBytes: number },
  ): Promise<readonly ByteRange[] | undefined> {
    return this.#trees.locate(indexOffset, intervals, options);
  }

  /** Visits the summaries of a reference in blocks of a zoom level. The `sum` is that of the bases that have values. */
  async visitSummaries(blocks: readonly ByteRange[], referenceId: number, visit: VisitBigWigValues): Promise<void> {
    for await (const { view } of this.#inflate(blocks)) {
      for (let at = 0; at + SUMMARY_BYTES <= view.byteLength; at += SUMMARY_BYTES) {
        if (view.getUint32(at, true) !== referenceId) continue;
        const [start, end] = [view.getUint32(at + 4, true), view.getUint32(at + 8, true)];
        visit(start, end, view.getFloat32(at + 24, true), view.getFloat32(at + 20, true));
      }
    }
  }

  /** Visits the runs of a reference in blocks of runs. The `sum` is that of all of their bases. */
  async visitRuns(blocks: readonly ByteRange[], referenceId: number, visit: VisitBigWigValues): Promise<void> {
    for await (const { view, offset } of this.#inflate(blocks)) {
      if (view.byteLength < SECTION_HEADER_BYTES) throw invalidData('a section of a bigWig file is incomplete', offset);
      if (view.getUint32(0, true) === referenceId) visitSection(view, visit, offset);
    }
  }

  async *#inflate(blocks: readonly ByteRange[]): AsyncGenerator<{ view: DataView; offset: number }, void> {
    const inflate = createZlibInflater();
    const tooLong = blocks.find(({ start, end }) => end - start > MAX_BLOCK_BYTES);
    if (tooLong !== undefined) {
      const message = `a block of a bigWig file has more than ${MAX_BLOCK_BYTES} bytes`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: tooLong.start });
    }
    for await (const { bytes, start, end } of readPieces(this.#source, blocks, this.#version)) {
      if (bytes.length < end - start) {
        throw new FormatError('TRUNCATED', 'a bigWig file ends before its last block', { offset: start });
      }
      const data = this.#isCompressed ? inflate(bytes, { size: MAX_BLOCK_BYTES, coffset: start }) : bytes;
      yield { view: toView(data), offset: start };
    }
  }
}

/** Visits the runs of a section: bedGraph items, or steps of a common length. */
function visitSection(view: DataView, visit: VisitBigWigValues, offset: number): void {
  const [first, step, span] = [view.getUint32(4, true), view.getUint32(12, true), view.getUint32(16, true)];
  const type = view.getUint8(20);
  const count = view.getUint16(22, true);
  const runBytes = RUN_BYTES[type] ?? 0;
  if (runBytes === 0) throw invalidData(`unknown type ${type} of a section of a bigWig file`, offset);
  if (SECTION_HEADER_BYTES + count * runBytes > view.byteLength) {
    throw invalidData('a section of a bigWig file is incomplete', offset);
  }
  for (let i = 0, at = SECTION_HEADER_BYTES; i < count; i++, at += runBytes) {
    const start = type === 3 ? first + i * step : view.getUint32(at, true);
    const end = type === 1 ? view.getUint32(at + 4, true) : start + span;
    const value = view.getFloat32(at + runBytes - 4, true);
    visit(start, end, value * (end - start), value);
  }
}

function toLevels(view: DataView, count: number): BigWigZoomLevel[] {
  const levels = Array.from({ length: count }, (_, i) => ({
    reduction: view.getUint32(i * ZOOM_HEADER_BYTES, true),
    indexOffset: readOffset(view, i * ZOOM_HEADER_BYTES + 16),
  }));
  return levels.sort((a, b) => a.reduction - b.reduction);
}
