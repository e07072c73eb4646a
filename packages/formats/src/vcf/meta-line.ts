/** What a line `##KEY=<ID=…>` of a VCF or BCF header declares (VCFv4.3 §1.4). */
export interface VcfMetaLine {
  readonly key: string;
  readonly id: string;
  /** Its number in BCF records, where the line has the key IDX (VCFv4.3 §6.2.1). */
  readonly index: number | undefined;
  /** By key, those of ID and IDX among them. */
  readonly values: ReadonlyMap<string, string>;
}

const START = '##';
const VALUES_START = '=<';

/** What a header line declares; undefined for another line, and for one without an ID. */
export function parseMetaLine(line: string): VcfMetaLine | undefined {
  const keyEnd = line.startsWith(START) ? line.indexOf('=') : -1;
  if (keyEnd === -1 || !line.startsWith(VALUES_START, keyEnd)) return undefined;
  const text = line.trimEnd();
  if (!text.endsWith('>')) return undefined;
  const values = new Map(parseEntries(text.slice(keyEnd + VALUES_START.length, -1)));
  const id = values.get('ID');
  if (id === undefined) return undefined;
  return { key: line.slice(START.length, keyEnd), id, index: parseCount(values.get('IDX')), values };
}

/** Undefined for what is no number, or none that is safe. */
export function parseCount(text = ''): number | undefined {
  const count = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(count) ? count : undefined;
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
