import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { decodeBam, toSamText } from '@htskit/testing';
import { type CramDecoderOptions, type CramHeader, createCramDecoder } from '../../../src/index.js';
import { buildHeader } from '../../bam/build-bam.js';
import { type CompressionParts, CRAM_2_1, containerOf, type SliceParts } from '../build-cram.js';

/** The bases of the reference of the tests: 40 of them. */
export const BASES = 'ACGTACGTACGTNCGTACGTACGTACGTACGTACGTACGT';

const TEXT = `@SQ\tSN:one\tLN:${BASES.length}\tM5:0123456789abcdef0123456789ABCDEF\n@SQ\tSN:two\tLN:1000\n@RG\tID:a\n@RG\tID:b\n`;

export const HEADER: CramHeader = {
  version: CRAM_2_1,
  text: TEXT,
  references: [
    { name: 'one', length: BASES.length, md5: '0123456789abcdef0123456789abcdef' },
    { name: 'two', length: 1000 },
  ],
  byteLength: 0,
};

export const source = async ({ start, end }: { readonly start: number; readonly end: number }): Promise<Uint8Array> =>
  new TextEncoder().encode(BASES.slice(start, end));

/** Builds a BAM file of encoded records. */
export function toBam({ references }: Pick<CramHeader, 'references'>, records: Uint8Array): Uint8Array {
  const header = buildHeader(
    '',
    references.map(({ name, length }) => [`${name}\0`, length]),
  );
  return Buffer.concat([deflateBlocks(Buffer.concat([header, records])), EOF_MARKER]);
}

/** Formats BAM records as SAM lines with an independent decoder. */
export function toSamLines(header: Pick<CramHeader, 'references'>, records: Uint8Array): string[] {
  return toSamText(decodeBam(toBam(header, records)))
    .split('\n')
    .slice(0, -1);
}

/** Decodes the slices of a container to SAM lines. */
export async function samLinesOf(
  compression: CompressionParts,
  slices: readonly SliceParts[],
  options: Partial<CramDecoderOptions> = {},
): Promise<string[]> {
  const { bytes, header } = containerOf(compression, ...slices);
  const decoder = createCramDecoder({ header: HEADER, reference: source, ...options });
  const lines: string[] = [];
  for await (const records of decoder.decode(bytes, { header, offset: 1000 }))
    lines.push(...toSamLines(HEADER, records));
  return lines;
}

/** Returns the error that an attempt rejects with, or undefined if it succeeds. */
export async function rejection(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    return error;
  }
}
