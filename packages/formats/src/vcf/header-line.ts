/** A line `##key=value` of a VCF header, or one of the form `##key=<entry,…>` (VCFv4.3 §1.2). */
export interface HeaderLine {
  readonly key: string;
  /** The text after `=`; undefined for a line with entries. */
  readonly value: string | undefined;
  /** The keys and values of the entries. A quoted value includes its quotes, and nothing is unescaped. */
  readonly entries: readonly (readonly [key: string, value: string])[];
}

const ENTRY_KEY = /[A-Za-z_][0-9A-Za-z_.]*/y;
const SPACES = / */y;

/**
 * Parses a header line without its line end, as htslib does: spaces around keys and values are dropped, brackets nest, and what
 * follows the closing bracket is ignored. Returns undefined for a malformed line, which declares nothing.
 */
export function parseHeaderLine(line: string): HeaderLine | undefined {
  const equals = line.indexOf('=');
  if (!line.startsWith('##') || equals < 3) return undefined;
  const key = line.slice(2, equals);
  if (line[equals + 1] !== '<') return { key, value: line.slice(equals + 1), entries: [] };
  const entries: (readonly [string, string])[] = [];
  // The depth of the brackets is 0 after the last entry.
  for (let at = equals + 2, depth = 1; at < line.length && depth > 0; ) {
    const keyStart = skip(line, at, SPACES);
    const keyEnd = skip(line, keyStart, ENTRY_KEY);
    const assignment = skip(line, keyEnd, SPACES);
    if (keyEnd === keyStart || line[assignment] !== '=') return undefined;
    const valueStart = skip(line, assignment + 1, SPACES);
    const value = readValue(line, valueStart, depth);
    entries.push([line.slice(keyStart, keyEnd), value.text]);
    depth = value.depth;
    at = value.end + 1;
  }
  return { key, value: undefined, entries };
}

function skip(line: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return pattern.test(line) ? pattern.lastIndex : at;
}

/** Reads the value at `start`, and returns the offset of the byte after it and the depth of the brackets after that byte. */
function readValue(line: string, start: number, depth: number): { text: string; end: number; depth: number } {
  const quote = line[start];
  if (quote === '"' || quote === '[') {
    const close = closingQuote(line, start, quote === '"' ? '"' : ']');
    const end = Math.min(close + 1, line.length);
    const content = line.slice(start + 1, close).replace(/ +$/, '');
    const text = quote === '"' ? `"${content}"` : line.slice(start, end);
    return { text, end, depth: line[end] === '>' ? depth - 1 : depth };
  }
  let open = depth;
  let end = start;
  for (; end < line.length; end++) {
    const character = line[end];
    if (character === '<') open++;
    else if (character === '>') open--;
    if (open === 0 || (character === ',' && open === 1)) break;
  }
  return { text: line.slice(start, end).replace(/ +$/, ''), end, depth: open };
}

/** Returns the offset of the quote that closes the one at `start`, or the end of the line. */
function closingQuote(line: string, start: number, quote: string): number {
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === quote) return at;
  }
  return line.length;
}

/** Returns the line with its entries, except for those whose keys are `without`. */
export function formatHeaderLine({ key, value, entries }: HeaderLine, without?: string): string {
  if (value !== undefined) return `##${key}=${value}`;
  const kept = entries.filter(([name]) => name !== without);
  return `##${key}=<${kept.map(([name, text]) => `${name}=${text}`).join(',')}>`;
}

/** The contig, filter, or key of INFO or FORMAT that a line declares (VCFv4.3 §1.4). */
export interface Declaration {
  readonly kind: DeclarationKind;
  readonly id: string;
  /** The number in BCF records, if the line has the key IDX (VCFv4.3 §6.2.1). */
  readonly index: number | undefined;
}

const DECLARATION_KINDS = ['contig', 'FILTER', 'INFO', 'FORMAT'] as const;
type DeclarationKind = (typeof DECLARATION_KINDS)[number];

/** Whether the lines of a key declare what records refer to. */
function isDeclarationKind(key: string): key is DeclarationKind {
  return DECLARATION_KINDS.some((kind) => kind === key);
}

/**
 * Returns what a line declares. Returns undefined for a line of another kind, and for one without an ID or with an IDX that is not
 * a number. Some programs quote ID and IDX.
 */
export function toDeclaration(line: HeaderLine): Declaration | undefined {
  if (!isDeclarationKind(line.key)) return undefined;
  const [id, indexText] = [entryValue(line, 'ID'), entryValue(line, 'IDX')];
  const index = indexText === undefined ? undefined : parseCount(indexText);
  if (id === undefined || (indexText !== undefined && index === undefined)) return undefined;
  return { kind: line.key, id, index };
}

/**
 * Returns the value of a key, without quotes and escapes. As in htslib, the first one counts for contigs, where the letter case of
 * keys does not matter, and the last one for others.
 */
export function entryValue({ key: kind, entries }: HeaderLine, key: string): string | undefined {
  const entry =
    kind === 'contig'
      ? entries.find(([name]) => name.toLowerCase() === key.toLowerCase())
      : entries.findLast(([name]) => name === key);
  return entry && unquote(entry[1]);
}

/** Returns a value without quotes and escapes. */
export function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
}

/** Returns a value as it is written: in quotes if it needs them. */
export function quote(value: string): string {
  return isPlainValue(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Returns whether a value without quotes is read as it is. */
export function isPlainValue(value: string): boolean {
  if (/^[\w.:*#-]+$/.test(value)) return true;
  const [entry, ...others] = parseHeaderLine(`##line=<key=${value}>`)?.entries ?? [];
  return entry?.[1] === value && others.length === 0 && !value.startsWith('"');
}

/** Parses decimal digits. Returns undefined for other text and for unsafe integers. */
export function parseCount(text: string): number | undefined {
  const count = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(count) ? count : undefined;
}
