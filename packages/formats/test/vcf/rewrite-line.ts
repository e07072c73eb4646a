import type { KeySelection } from '../../src/index.js';

/** Whether a selection keeps a key. */
export function isKept(key: string, { tags, notags = [] }: KeySelection): boolean {
  return (tags === undefined || tags.includes(key)) && !notags.includes(key);
}

/** A line of VCF, without its line feed and with no empty column, without the keys that a selection leaves out. */
export function rewriteLine(line: string, selection: KeySelection): string {
  const columns = line.split('\t');
  const [info = '', format, ...samples] = columns.slice(7);
  const entries = info.split(';').filter((entry) => isKept(entry.split('=')[0] ?? '', selection));
  const site = [...columns.slice(0, 7), entries.join(';') || '.'];
  if (format === undefined || format === '.') return [...site, ...columns.slice(8)].join('\t');
  const keys = format.split(':');
  const rest = [format, ...samples].map((column) => {
    const values = column.split(':').filter((_, rank) => isKept(keys[rank] ?? '', selection));
    return values.join(':') || '.';
  });
  return [...site, ...rest].join('\t');
}
