import { FormatError } from '../format-error.js';
import { parseContigLine, type VcfContig } from './contig-line.js';

/** The header of a VCF file (VCFv4.3 §1.2). */
export interface VcfHeader {
  readonly text: string;
  /** In order; the first line of each name. */
  readonly contigs: readonly VcfContig[];
  /** Uncompressed bytes of the whole header; the first record follows. */
  readonly byteLength: number;
}

/** "##fileformat=VCF" */
const MAGIC = new TextEncoder().encode('##fileformat=VCF');
const COLUMNS_START = new TextEncoder().encode('#CHROM');
const CONTIG_START = new TextEncoder().encode('##contig=');
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const HASH = 0x23;
/** As many as a BCF may have: each takes some hundred bytes. */
const CONTIG_LIMIT = 2 ** 21;

// Not fatal: a header in another encoding than UTF-8 is still read. Names of contigs are ASCII.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Uncompressed bytes of the header that `data` begins with, or undefined while more of them are needed to tell: the lines in
 * front of the first that does not begin with `#`, up to the one that names the columns. With `isWhole` nothing follows
 * `data`, whose end then ends the header, too. Throws `FormatError` INVALID_MAGIC for what does not begin with
 * `##fileformat=VCF`.
 */
export function vcfHeaderLength(
  data: Uint8Array,
  options: { readonly isWhole?: boolean | undefined } = {},
): number | undefined {
  if (MAGIC.subarray(0, data.length).some((byte, at) => byte !== data[at])) {
    throw new FormatError('INVALID_MAGIC', 'uncompressed VCF begins with "##fileformat=VCF"', { offset: 0 });
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
 * Parses the header that `data` begins with and has all of: the end of `data` ends it, too. Throws as `vcfHeaderLength`,
 * TRUNCATED for less than its first line begins with, and LIMIT_EXCEEDED for more than 2^21 contigs.
 */
export function parseVcfHeader(data: Uint8Array): VcfHeader {
  const byteLength = vcfHeaderLength(data, { isWhole: true });
  if (byteLength === undefined) {
    throw new FormatError('TRUNCATED', 'the data ends inside the header', { offset: data.length });
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
      throw new FormatError('LIMIT_EXCEEDED', `the header has more than ${CONTIG_LIMIT} contigs`, { offset: at });
    }
    at = end + 1;
  }
  return [...contigs.values()];
}

/** Blank lines in front of the columns are passed over, as by HTSlib. */
function isHeaderByte(byte: number | undefined): boolean {
  return byte === HASH || byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

function startsWith(data: Uint8Array, start: Uint8Array, at: number): boolean {
  return start.every((byte, rank) => byte === data[at + rank]);
}
