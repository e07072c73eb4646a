import { FormatError } from '../format-error.js';
import { parseContigLine, type VcfContig } from './meta-line.js';

/** The header of a VCF file (VCFv4.3 §1.2). */
export interface VcfHeader {
  readonly text: string;
  /** The declared contigs in the order of their lines. Of lines that share a name, the first counts. */
  readonly contigs: readonly VcfContig[];
  /** Uncompressed bytes of the header. The first record follows. */
  readonly byteLength: number;
}

const MAGIC_TEXT = '##fileformat=VCF';
const MAGIC = new TextEncoder().encode(MAGIC_TEXT);
const COLUMNS_START = new TextEncoder().encode('#CHROM');
const CONTIG_START = new TextEncoder().encode('##contig=');
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const HASH = 0x23;
/** The limit that BCF has, too: each contig takes about a hundred bytes. */
const CONTIG_LIMIT = 2 ** 21;

// Not fatal: a header that is not UTF-8 can still be read. Contig names are ASCII.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns the length in uncompressed bytes of the header that `data` starts with, or undefined if more data is needed. The
 * header ends after the line `#CHROM`, or before the first line that does not start with `#`. If `isWhole` is true, nothing
 * follows `data`, so that its end ends the header, too. Throws `FormatError` `INVALID_MAGIC` for data that does not start with
 * `##fileformat=VCF`.
 */
export function vcfHeaderLength(
  data: Uint8Array,
  options: { readonly isWhole?: boolean | undefined } = {},
): number | undefined {
  if (MAGIC.subarray(0, data.length).some((byte, at) => byte !== data[at])) {
    throw new FormatError('INVALID_MAGIC', `not VCF data: expected "${MAGIC_TEXT}"`, { offset: 0 });
  }
  if (data.length < MAGIC.length) return undefined;
  for (let at = 0; at < data.length; ) {
    if (!isHeaderByte(data[at])) return at;
    const lineFeed = data.indexOf(LINE_FEED, at);
    if (lineFeed === -1) break;
    if (startsWith(data, COLUMNS_START, at)) return lineFeed + 1;
    at = lineFeed + 1;
  }
  return options.isWhole === true ? data.length : undefined;
}

/**
 * Parses the header that `data` starts with. `data` must hold the whole header: its end also ends the header. Throws what
 * `vcfHeaderLength` throws, `FormatError` `TRUNCATED` if `data` is shorter than `##fileformat=VCF`, and `LIMIT_EXCEEDED` for
 * more than 2^21 contigs.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { gunzipSync } from 'node:zlib';
 * import { parseVcfHeader } from '@htskit/formats';
 *
 * const { contigs } = parseVcfHeader(gunzipSync(readFileSync('variants.vcf.gz')));
 * console.log(contigs.map(({ name }) => name));
 * ```
 */
export function parseVcfHeader(data: Uint8Array): VcfHeader {
  const byteLength = vcfHeaderLength(data, { isWhole: true });
  if (byteLength === undefined) {
    throw new FormatError('TRUNCATED', 'data ends within the VCF header', { offset: data.length });
  }
  const header = data.subarray(0, byteLength);
  return { text: decoder.decode(header), contigs: parseContigs(header), byteLength };
}

function parseContigs(header: Uint8Array): VcfContig[] {
  const contigs = new Map<string, VcfContig>();
  for (let at = 0; at < header.length; ) {
    const lineFeed = header.indexOf(LINE_FEED, at);
    const end = lineFeed === -1 ? header.length : lineFeed;
    const isContig = startsWith(header, CONTIG_START, at);
    const contig = isContig ? parseContigLine(decoder.decode(header.subarray(at, end))) : undefined;
    if (contig !== undefined && !contigs.has(contig.name)) contigs.set(contig.name, contig);
    if (contigs.size > CONTIG_LIMIT) {
      throw new FormatError('LIMIT_EXCEEDED', `header is over the limit of ${CONTIG_LIMIT} contigs`, { offset: at });
    }
    at = end + 1;
  }
  return [...contigs.values()];
}

/** Returns whether a header line may start with a byte. Blank lines before `#CHROM` are skipped, as in htslib. */
function isHeaderByte(byte: number | undefined): boolean {
  return byte === HASH || byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

function startsWith(data: Uint8Array, start: Uint8Array, at: number): boolean {
  return start.every((byte, i) => byte === data[at + i]);
}
