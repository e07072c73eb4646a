import type { DeflateOptions } from '@htskit/bgzf';
import { ByteWriter } from '../bytes/byte-writer.js';
import { type BigWigReference, encodeChromosomeTree } from './chromosome-tree.js';
import { type BigWigRuns, DataSections, MAX_SECTION_BYTES } from './data-sections.js';
import { type BigWigTarget, FileEnd } from './target.js';
import { ITEMS_PER_BLOCK, SUMMARY_BYTES, type ZoomLevel } from './zoom-level.js';
import { MAX_ZOOM_LEVELS, writeZoomLevels } from './zoom-levels.js';

const MAGIC = 0x888ffc26;
const VERSION = 4;
const HEADER_BYTES = 64;
const ZOOM_HEADER_BYTES = 24;
const TOTAL_SUMMARY_OFFSET = HEADER_BYTES + MAX_ZOOM_LEVELS * ZOOM_HEADER_BYTES;
const TOTAL_SUMMARY_BYTES = 40;
const CHROMOSOME_TREE_OFFSET = TOTAL_SUMMARY_OFFSET + TOTAL_SUMMARY_BYTES;
/** Bytes of the number of sections. */
const SECTION_COUNT_BYTES = 8;

export interface BigWigOptions extends DeflateOptions {
  /** The references, in the order of the data. They may be without data. */
  readonly references: readonly BigWigReference[];
}

/**
 * Writes a bigWig file, with the zoom levels that UCSC's bedGraphToBigWig chooses. Data goes to the target as it arrives; it is read
 * back in pieces for the zoom levels. Memory holds 32 bytes for every 1,024 runs, and the names of the references.
 *
 * @example
 * ```ts
 * import { BigWigMemory, BigWigWriter } from '@htskit/formats';
 *
 * const target = new BigWigMemory();
 * const writer = new BigWigWriter(target, { references: [{ name: 'chr1', length: 1000 }] });
 * await writer.write({ referenceId: 0, length: 2, start: [0, 10], end: [10, 25], value: [3, 4.5] });
 * await writer.finish();
 * ```
 */
export class BigWigWriter {
  readonly #references: readonly BigWigReference[];
  readonly #deflate: DeflateOptions;
  readonly #end: FileEnd;
  readonly #dataOffset: number;
  readonly #sections: DataSections;

  /** Nothing is written yet. Throws RangeError for a name that is repeated, and for an invalid length or level. */
  constructor(target: BigWigTarget, { references, ...deflate }: BigWigOptions) {
    this.#references = references;
    this.#deflate = deflate;
    this.#end = new FileEnd(target);
    this.#end.append(new Uint8Array(CHROMOSOME_TREE_OFFSET));
    this.#end.append(encodeChromosomeTree(references, CHROMOSOME_TREE_OFFSET));
    this.#dataOffset = this.#end.position;
    this.#end.append(new Uint8Array(SECTION_COUNT_BYTES));
    this.#sections = new DataSections(this.#end, references, deflate);
  }

  /**
   * Adds runs after those so far. Wait for the promise before the next call. Rejects with RangeError if runs overlap, are not in
   * order, or have a value that is not finite, and with the error of the target. The file is then incomplete.
   */
  async write(runs: BigWigRuns): Promise<void> {
    await this.#sections.write(runs);
  }

  /** Writes the indexes, the zoom levels and the header. Returns the size of the file. */
  async finish(): Promise<number> {
    const end = this.#end;
    const { blocks, total, runCount } = this.#sections;
    const indexOffset = await this.#sections.finish();
    const levels = await writeZoomLevels(
      end,
      {
        sections: blocks,
        references: this.#references,
        meanRunLength: total.baseCount / runCount,
        byteLength: indexOffset - this.#dataOffset,
      },
      this.#deflate,
    );
    const magic = new ByteWriter();
    magic.int32(MAGIC);
    end.append(magic.memory.subarray(0, magic.length));
    await end.flush();
    await end.replace(this.#encodeSectionCount(), this.#dataOffset);
    // The header is last, so that an interrupted file is not read as a bigWig file.
    await end.replace(this.#encodeHeader(indexOffset, levels), 0);
    return end.position;
  }

  #encodeSectionCount(): Uint8Array {
    const out = new ByteWriter();
    out.uint64(this.#sections.blocks.length);
    return out.memory.subarray(0, out.length);
  }

  #encodeHeader(indexOffset: number, levels: readonly ZoomLevel[]): Uint8Array {
    const out = new ByteWriter();
    out.int32(MAGIC);
    out.int16(VERSION);
    out.int16(levels.length);
    out.uint64(CHROMOSOME_TREE_OFFSET);
    out.uint64(this.#dataOffset);
    out.uint64(indexOffset);
    out.int32(0); // the numbers of fields, which bigBed files have
    out.uint64(0); // autoSql, likewise
    out.uint64(TOTAL_SUMMARY_OFFSET);
    out.int32(Math.max(MAX_SECTION_BYTES, ITEMS_PER_BLOCK * SUMMARY_BYTES)); // of the longest block
    out.uint64(0); // extensions
    for (const { reduction, dataOffset, indexOffset } of levels) {
      out.int32(reduction);
      out.int32(0);
      out.uint64(dataOffset);
      out.uint64(indexOffset);
    }
    for (let level = levels.length; level < MAX_ZOOM_LEVELS; level++) out.copy(NO_ZOOM_LEVEL, 0, ZOOM_HEADER_BYTES);
    const { baseCount, minimum, maximum, sum, squareSum } = this.#sections.total;
    out.uint64(baseCount);
    for (const value of [minimum, maximum, sum, squareSum]) out.float64(value);
    return out.memory.subarray(0, out.length);
  }
}

const NO_ZOOM_LEVEL = new Uint8Array(ZOOM_HEADER_BYTES);
