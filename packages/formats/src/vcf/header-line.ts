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
 * follows the closing bracket is ignored. Returns undefined for a malformed line, which htslib leaves out.
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
