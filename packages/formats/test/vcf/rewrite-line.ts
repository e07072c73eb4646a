import type { KeySelection } from '../../src/index.js';

/** Returns whether a selection keeps a key. */
export function isKept(key: string, { tags, notags = [] }: KeySelection): boolean {
  return (tags === undefined || tags.includes(key)) && !notags.includes(key);
}

/** Rewrites a VCF line with a selection. The line has no line feed and no empty column. */
export function rewriteLine(line: string, selection: KeySelection): string {
  const columns = line.split('\t');
  const [info = '', format, ...samples] = columns.slice(7);
  const entries = info.split(';').filter((entry) => isKept(entry.split('=')[0] ?? '', selection));
  const site = [...columns.slice(0, 7), entries.join(';') || '.'];
  if (format === undefined || format === '.') return [...site, ...columns.slice(8)].join('\t');
  const keys = format.split(':');
  const rest = [format, ...samples].map((column) => {
    const values = column.split(':').filter((_, index) => isKept(keys[index] ?? '', selection));
    return values.join(':') || '.';
  });
  return [...site, ...rest].join('\t');
}
