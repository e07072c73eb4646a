/** A line of a header that states its version. */
const VERSION = /(?<![^\n])##fileformat=VCFv(\d+)\.(\d+)/g;

/** Returns the version of the format times 100, such as 403; 0 for a header without one. As in htslib, the last line counts. */
export function variantVersion(text: string): number {
  let version = 0;
  for (const [, major, minor] of text.matchAll(VERSION)) version = 100 * Number(major) + Number(minor);
  return version;
}

/** From this version on, the lengths of symbolic alleles determine the ends of records (VCFv4.4 §1.6.1). */
export const ALLELE_LENGTHS_VERSION = 404;

/**
 * Returns whether rlen of BCF records includes the lengths of their alleles, INFO/SVLEN and FORMAT/LEN: in VCF 4.4 and later
 * (VCFv4.5 §1.6.1). `text` is the header of the file. The ends of VCF lines include them in any version.
 */
export function hasAlleleLengths(text: string): boolean {
  return variantVersion(text) >= ALLELE_LENGTHS_VERSION;
}

/** How an allele determines the end of its record: by its SVLEN, by LEN of the samples, or not at all. */
export type AlleleKind = 'SVLEN' | 'LEN' | undefined;

const [TAB, SEMICOLON, MINUS, LESS, GREATER] = [0x09, 0x3b, 0x2d, 0x3c, 0x3e];
const COMMA = 0x2c;
const COLON = 0x3a;
const [ZERO, NINE] = [0x30, 0x39];
/** `<DEL>`, `<DUP:TANDEM>` and so on. `<INS>` inserts bases that the reference does not have. */
const SPANNING_KINDS = ['DEL', 'DUP', 'INV', 'CNV'].map(toBytes);
/** A block of reference calls, and its name in gVCF files (VCFv4.5 §5.5). */
const BLOCKS = ['<*>', '<NON_REF>'].map(toBytes);

/** Returns the kind of the allele in [start, end). */
export function alleleKind(bytes: Uint8Array, start: number, end: number): AlleleKind {
  if (bytes[start] !== LESS || bytes[end - 1] !== GREATER) return undefined;
  if (BLOCKS.some((block) => block.length === end - start && startsWith(bytes, block, start))) return 'LEN';
  const after = bytes[start + 4];
  const isComplete = (end - start === 5 && after === GREATER) || (end - start > 5 && after === COLON);
  return isComplete && SPANNING_KINDS.some((kind) => startsWith(bytes, kind, start + 1)) ? 'SVLEN' : undefined;
}

/** The columns of a record line from ALT on. */
interface AlleleColumns {
  /** POS, 1-based. */
  readonly position: number;
  readonly altStart: number;
  /** −1 if the line has no INFO. */
  readonly infoStart: number;
}

/**
 * Returns the exclusive 0-based end of the longest symbolic allele of a line, or 0 if it has none with a length. The first base
 * of `<DEL>`, `<DUP>`, `<INV>` and `<CNV>` follows POS, that of `<*>` is at POS.
 */
export function symbolicAlleleEnd(line: Uint8Array, { position, altStart, infoStart }: AlleleColumns): number {
  if (infoStart === -1) return 0;
  const kinds = alleleKinds(line, altStart);
  const svLength = kinds.includes('SVLEN') ? longestSvLength(line, infoStart, kinds) : 0;
  const blockLength = kinds.includes('LEN') ? longestBlock(line, infoStart) : 0;
  return Math.max(svLength > 0 ? position + svLength : 0, blockLength > 0 ? position - 1 + blockLength : 0);
}

function alleleKinds(line: Uint8Array, altStart: number): readonly AlleleKind[] {
  const altEnd = fieldEnd(line, altStart, TAB);
  // The last allele is not followed by a comma, and the samples are long.
  const alleles = line.subarray(0, altEnd);
  const kinds: AlleleKind[] = [];
  for (let start = altStart; start <= altEnd; ) {
    const end = fieldEnd(alleles, start, COMMA);
    kinds.push(alleleKind(line, start, end));
    start = end + 1;
  }
  return kinds;
}

const SVLEN_KEY = toBytes('SVLEN=');

/** Returns the greatest absolute SVLEN of the alleles that it gives the end of. */
function longestSvLength(line: Uint8Array, infoStart: number, kinds: readonly AlleleKind[]): number {
  let at = findInfoValue(line, infoStart, SVLEN_KEY);
  let longest = 0;
  for (const kind of kinds) {
    if (at === undefined) break;
    const { value = 0, end } = parseNumber(line, line[at] === MINUS ? at + 1 : at);
    if (kind === 'SVLEN') longest = Math.max(longest, value);
    at = nextValue(line, end, COMMA);
  }
  return longest;
}

const LEN_KEY = toBytes('LEN');

/** Returns the greatest LEN of the samples. */
function longestBlock(line: Uint8Array, infoStart: number): number {
  const formatStart = fieldEnd(line, infoStart, TAB) + 1;
  const formatEnd = fieldEnd(line, formatStart, TAB);
  const index = keyIndex(line.subarray(0, formatEnd), formatStart);
  let longest = 0;
  if (index === undefined) return longest;
  for (let start = formatEnd + 1; start < line.length; start = fieldEnd(line, start, TAB) + 1) {
    let at: number | undefined = start;
    for (let n = 0; n < index && at !== undefined; n++) at = nextValue(line, at, COLON);
    longest = Math.max(longest, at === undefined ? 0 : (parseNumber(line, at).value ?? 0));
  }
  return longest;
}

/** Returns the index of LEN among the keys from `start` to the end of `line`. */
function keyIndex(line: Uint8Array, start: number): number | undefined {
  let at: number | undefined = start;
  for (let index = 0; at !== undefined; index++) {
    const isWhole = at + LEN_KEY.length === fieldEnd(line, at, COLON);
    if (isWhole && startsWith(line, LEN_KEY, at)) return index;
    at = nextValue(line, at, COLON);
  }
  return undefined;
}

/** Returns the start of the value after the next comma of an entry of INFO, or after the next colon of a sample. */
function nextValue(line: Uint8Array, from: number, separator: typeof COMMA | typeof COLON): number | undefined {
  for (let at = from; at < line.length; at++) {
    const byte = line[at];
    if (byte === separator) return at + 1;
    if (byte === TAB || (byte === SEMICOLON && separator === COMMA)) return undefined;
  }
  return undefined;
}

/** Returns the start of the value of a key, `=` included, in the INFO column at `infoStart`. */
export function findInfoValue(line: Uint8Array, infoStart: number, key: Uint8Array): number | undefined {
  for (let at = infoStart; at < line.length; at++) {
    if (startsWith(line, key, at)) return at + key.length;
    while (at < line.length && line[at] !== SEMICOLON) {
      if (line[at] === TAB) return undefined;
      at++;
    }
  }
  return undefined;
}

/** Returns the end of the field that starts at `start`: the index of the separator, or the end of the line. */
export function fieldEnd(line: Uint8Array, start: number, separator: number): number {
  const end = line.indexOf(separator, start);
  return end === -1 ? line.length : end;
}

/** Parses the digits at `at`, and returns where they end. The value is undefined without digits and for an unsafe integer. */
export function parseNumber(
  line: Uint8Array,
  at: number,
): { readonly value: number | undefined; readonly end: number } {
  let value = 0;
  let end = at;
  for (; end < line.length; end++) {
    const digit = line[end] ?? 0;
    if (digit < ZERO || digit > NINE) break;
    value = value * 10 + digit - ZERO;
  }
  return { value: end > at && Number.isSafeInteger(value) ? value : undefined, end };
}

/** Converts ASCII to bytes. */
export function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function startsWith(bytes: Uint8Array, start: Uint8Array, at: number): boolean {
  for (let i = 0; i < start.length; i++) if (bytes[at + i] !== start[i]) return false;
  return true;
}
