import type { CramCompressionHeader } from './container/compression-header.js';
import {
  ContainerDecoder,
  type ContainerOutput,
  type CramDecodeInput,
  type CramDecoderOptions,
  type DecodePlan,
} from './container-decoder.js';
import { BamWriter, PIECE_BYTES } from './output/bam-writer.js';
import { selectAll } from './slice/series-selection.js';

/** Decodes the records of a CRAM file. */
export interface CramDecoder {
  /**
   * Yields the records of each slice of a container as uncompressed BAM records, block_size included: those of a slice of more
   * than 12 MiB in pieces of about 1 MiB, which the caller may keep. `blocks` are the bytes that follow the container header.
   * Throws `FormatError` `INVALID_DATA`, `TRUNCATED`, `UNSUPPORTED` and `LIMIT_EXCEEDED`, `MISSING_REFERENCE` if reference
   * bases are not available, `REFERENCE_MISMATCH` if they are not those that the file was written with, and what the reference
   * source throws.
   */
  decode(blocks: Uint8Array, input: CramDecodeInput): AsyncGenerator<Uint8Array, void>;
}

/** Typical bytes of a BAM record. */
const RECORD_BYTES = 400;
/** The maximum number of bytes that are allocated because of a number of records. */
const MAX_FIRST_BYTES = 2 ** 24;

/**
 * Creates a decoder of CRAM 2.0 to 3.1 to BAM records. Tags that htslib generates, MD and NM, are generated as it does.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { createCramDecoder, parseCramContainerHeader, parseCramHeader } from '@htskit/formats';
 *
 * const bytes = readFileSync('reads.cram');
 * const header = parseCramHeader(bytes);
 * const decoder = createCramDecoder({ header, reference: async ({ name, start, end }) => fetchBases(name, start, end) });
 * for (let offset = header.byteLength; offset < bytes.length; ) {
 *   const container = parseCramContainerHeader(bytes.subarray(offset), { version: header.version, offset });
 *   if (container === undefined) throw new Error('truncated');
 *   offset += container.headerLength;
 *   const blocks = bytes.subarray(offset, offset + container.length);
 *   for await (const records of decoder.decode(blocks, { header: container, offset })) console.log(records.length);
 *   offset += container.length;
 * }
 *
 * declare function fetchBases(name: string, start: number, end: number): Promise<Uint8Array>;
 * ```
 */
export function createCramDecoder(options: CramDecoderOptions): CramDecoder {
  const { generateMismatchTags = true, intervals } = options;
  const containers = new ContainerDecoder(options);
  const output: ContainerOutput<BamWriter> = {
    plan: (compression) => planRecords(compression, generateMismatchTags),
    createSink: (slice) => {
      const wholeBytes = Math.min(RECORD_BYTES * slice.header.recordCount, MAX_FIRST_BYTES);
      return new BamWriter(slice, intervals === undefined ? wholeBytes : Math.min(wholeBytes, PIECE_BYTES));
    },
  };
  return {
    async *decode(blocks, input) {
      for await (const writer of containers.decode(blocks, input, output)) yield writer.take();
    },
  };
}

/** Plans the decoding of whole records. */
export function planRecords(compression: CramCompressionHeader, generateMismatchTags: boolean): DecodePlan {
  const wanted = {
    bases: true,
    qualities: true,
    substitutions: false,
    names: true,
    readGroups: true,
    mismatchTags: generateMismatchTags,
  };
  return { selection: selectAll(compression), wanted, needsReference: true };
}
