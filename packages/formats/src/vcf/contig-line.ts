/** A contig as a line `##contig=<…>` of a VCF or BCF header declares it (VCFv4.3 §1.4.7). */
export interface VcfContig {
  readonly name: string;
  /** Bases; undefined where the line has no length, or none that is a number. */
  readonly length: number | undefined;
  /** Its number in BCF records, where the line has the key IDX (VCFv4.3 §6.2.1). */
  readonly index: number | undefined;
}

const CONTIG_LINE = /^##contig=<(.*)>\s*$/;
/** A key and its value, which may stand in quotes. */
const ENTRY = /([^,=]+)=("(?:[^"\\]|\\.)*"|[^,]*)/g;

/** The contig that a header line declares; undefined for another line, and for one without an ID. */
export function parseContigLine(line: string): VcfContig | undefined {
  const entries = CONTIG_LINE.exec(line)?.[1];
  if (entries === undefined) return undefined;
  const values = new Map<string, string>();
  for (const [, key = '', value = ''] of entries.matchAll(ENTRY)) values.set(key, unquote(value));
  const name = values.get('ID');
  if (name === undefined) return undefined;
  return { name, length: parseCount(values.get('length')), index: parseCount(values.get('IDX')) };
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

function parseCount(text = ''): number | undefined {
  const count = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(count) ? count : undefined;
}
