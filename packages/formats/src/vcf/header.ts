import { decodeText } from '@htskit/io';
import { FormatError } from '../format-error.js';
import { entryValue, parseCount, parseHeaderLine, toDeclaration } from './header-line.js';

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

/** Whether a header is read from data that nothing follows. */
export interface VcfHeaderReadOptions {
  readonly isWhole?: boolean;
}

/**
 * Parses the header that `data` starts with. `data` must hold the whole header: its end also ends the header. Throws
 * `FormatError` `INVALID_MAGIC` for data that does not start with `##fileformat=VCF`, `TRUNCATED` for less than that, and `LIMIT_EXCEEDED` for
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
  const contigs = new Map<string, VcfContig>();
  const lines = new HeaderLines((start, end) => {
    const contig = isContigLine(data, start) ? parseContigLine(decodeText(data, start, end)) : undefined;
    if (contig === undefined || contigs.has(contig.name)) return;
    contigs.set(contig.name, contig);
    checkContigCount(contigs.size, start);
  });
  const byteLength = lines.read(data, { isWhole: true });
  if (byteLength === undefined) {
    throw new FormatError('TRUNCATED', 'data ends within the VCF header', { offset: data.length });
  }
  return { text: decodeText(data, 0, byteLength), contigs: Array.from(contigs.values()), byteLength };
}

/** Throws `FormatError` LIMIT_EXCEEDED for more than 2^21 contigs, the last of which is declared at `offset`. */
export function checkContigCount(count: number, offset: number): void {
  if (count <= CONTIG_LIMIT) return;
  throw new FormatError('LIMIT_EXCEEDED', `header is over the limit of ${CONTIG_LIMIT} contigs`, { offset });
}

/** Whether a line that starts at `at` has the key `contig`. */
export function isContigLine(data: Uint8Array, at: number): boolean {
  return startsWith(data, CONTIG_START, at);
}

/**
 * Finds the lines of a header whose data arrives in parts, and visits each once, without its line feed. The header ends after the
 * line `#CHROM`, or before the first line that does not start with `#`. If nothing follows the data, its end also ends the header.
 */
export class HeaderLines {
  readonly #visit: (start: number, end: number) => void;
  /** The start of the next line. */
  #at = 0;
  /** No line ends between that and this offset. */
  #searched = 0;

  constructor(visit: (start: number, end: number) => void) {
    this.#visit = visit;
  }

  /** Like `HeaderReader.read`. Throws `FormatError` `INVALID_MAGIC`. */
  read(data: Uint8Array, { isWhole = false }: VcfHeaderReadOptions = {}): number | undefined {
    if (!hasMagic(data)) return undefined;
    const { at, isEnd } = walkLines(data, { at: this.#at, searched: this.#searched }, this.#visit);
    this.#at = at;
    this.#searched = data.length;
    if (isEnd) return at;
    if (!isWhole) return undefined;
    this.#visit(at, data.length);
    return data.length;
  }
}

/** Returns false if `data` is shorter than the magic. */
function hasMagic(data: Uint8Array): boolean {
  if (MAGIC.subarray(0, data.length).some((byte, at) => byte !== data[at])) {
    throw new FormatError('INVALID_MAGIC', `not VCF data: expected "${MAGIC_TEXT}"`, { offset: 0 });
  }
  return data.length >= MAGIC.length;
}

/** Visits the whole lines before `#CHROM`, the first of which begins at `from.at` and ends after `from.searched`. Returns the end of the header, or else the start of the line that is incomplete. */
function walkLines(
  data: Uint8Array,
  from: { readonly at: number; readonly searched: number },
  visit: (start: number, end: number) => void,
): { readonly at: number; readonly isEnd: boolean } {
  let { at } = from;
  while (at < data.length) {
    if (!isHeaderByte(data[at])) return { at, isEnd: true };
    const lineFeed = data.indexOf(LINE_FEED, Math.max(at, from.searched));
    if (lineFeed === -1) break;
    if (startsWith(data, COLUMNS_START, at)) return { at: lineFeed + 1, isEnd: true };
    visit(at, lineFeed);
    at = lineFeed + 1;
  }
  return { at, isEnd: false };
}

/** Returns whether a header line may start with a byte. Blank lines before `#CHROM` are skipped, as in htslib. */
function isHeaderByte(byte: number | undefined): boolean {
  return byte === HASH || byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

function startsWith(data: Uint8Array, start: Uint8Array, at: number): boolean {
  for (let i = 0; i < start.length; i++) if (start[i] !== data[at + i]) return false;
  return true;
}

/** A contig that a line `##contig=<…>` of a VCF or BCF header declares (VCFv4.3 §1.4.7). */
export interface VcfContig {
  readonly name: string;
  /** Bases; undefined if the line has no length or one that is not a number. */
  readonly length: number | undefined;
  /** The number in BCF records, if the line has the key IDX (VCFv4.3 §6.2.1). */
  readonly index: number | undefined;
}

/**
 * Parses the contig that a header line declares. Returns undefined for another line, for one without an ID, and for a malformed one.
 */
export function parseContigLine(line: string): VcfContig | undefined {
  const parsed = parseHeaderLine(withoutReturn(line));
  const declaration = parsed && toDeclaration(parsed);
  if (parsed === undefined || declaration?.kind !== 'contig') return undefined;
  const { id, index } = declaration;
  return { name: id, length: parseCount(entryValue(parsed, 'length') ?? ''), index };
}

/** Returns a line without the carriage return at its end. */
export function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
