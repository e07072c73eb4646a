/** A contig as a line `##contig=<…>` of a VCF or BCF header declares it (VCFv4.3 §1.4.7). */
export interface VcfContig {
  readonly name: string;
  /** Bases; undefined where the line has no length, or none that is a number. */
  readonly length: number | undefined;
  /** Its number in BCF records, where the line has the key IDX (VCFv4.3 §6.2.1). */
  readonly index: number | undefined;
}

const START = '##contig=<';

/** The contig that a header line declares; undefined for another line, and for one without an ID. */
export function parseContigLine(line: string): VcfContig | undefined {
  if (!line.startsWith(START)) return undefined;
  const text = line.trimEnd();
  if (!text.endsWith('>')) return undefined;
  const values = new Map(parseEntries(text.slice(START.length, -1)));
  const name = values.get('ID');
  if (name === undefined) return undefined;
  return { name, length: parseCount(values.get('length')), index: parseCount(values.get('IDX')) };
}

/** Keys and values, which may stand in quotes. What has no `=` is passed over. */
function* parseEntries(text: string): Generator<readonly [key: string, value: string], void> {
  for (let at = 0; at < text.length; ) {
    const equals = text.indexOf('=', at);
    if (equals === -1) return;
    const key = text.slice(at, equals);
    const start = equals + 1;
    const isQuoted = text[start] === '"';
    const end = isQuoted ? quoteEnd(text, start) : text.indexOf(',', start);
    const valueEnd = end === -1 ? text.length : end;
    const value = text.slice(start, valueEnd);
    yield [key.slice(key.lastIndexOf(',') + 1), isQuoted ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value];
    // Behind a quote, what stands in front of the comma belongs to no key.
    at = valueEnd + 1;
  }
}

/** Behind the quote that ends the value which begins with the one at `start`; −1 if none does. */
function quoteEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

function parseCount(text = ''): number | undefined {
  const count = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(count) ? count : undefined;
}
