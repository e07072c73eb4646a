import type { ObjectDetails } from '../../src/runtime/page/object-details.js';
import { type Cell, h, size } from '../dom.js';
import { objectPlace, toFragment } from '../route.js';

/** The columns of the list: those with a key can be sorted by. */
export const OBJECT_COLUMNS = [
  { title: 'Id', key: 'id' },
  { title: 'Data', key: 'kind' },
  { title: 'Formats', key: '' },
  { title: 'Stored as', key: 'format' },
  { title: 'Index', key: '' },
  { title: 'Size#', key: 'size' },
  { title: 'Notes', key: '' },
] as const;

/** Sorts objects by a column, or leaves them in their order: `-size` is descending. */
export function sortObjects(objects: readonly ObjectDetails[], sort: string): readonly ObjectDetails[] {
  const read = SORTS[sort.replace(/^-/, '')];
  if (read === undefined) return objects;
  const sign = sort.startsWith('-') ? -1 : 1;
  return objects.toSorted((a, b) => {
    const [first, second] = [read(a), read(b)];
    return sign * (first < second ? -1 : first > second ? 1 : 0);
  });
}

const SORTS: Readonly<Record<string, (object: ObjectDetails) => string | number>> = {
  id: ({ id }) => id,
  kind: ({ datatype }) => datatype,
  format: ({ files }) => files.map(({ format }) => format).join(' '),
  size: ({ files }) => files.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
};

/** Returns the cells of an object: its stored files are lines of a row. */
export function objectRow(object: ObjectDetails): Cell[] {
  const { datatype, id, formats, files } = object;
  const lines = (text: (file: ObjectDetails['files'][number]) => string): HTMLElement =>
    h('span', {}, ...files.map((file) => h('span', { class: 'line' }, text(file))));
  return [
    h('a', { href: toFragment(objectPlace({ datatype, id })) }, id),
    h('span', { class: `chip ${datatype}` }, datatype),
    formats.join(' '),
    lines(({ format, isEncrypted }) => (isEncrypted ? `${format}, encrypted` : format)),
    lines(({ index }) => index ?? 'none'),
    lines(({ bytes }) => (bytes === undefined ? '?' : size(bytes))),
    h(
      'span',
      { class: 'badges' },
      ...badgesOf(object).map((badge) => h('span', { class: `chip badge ${badge}` }, badge)),
    ),
  ];
}

/** Returns what is notable of an object: it is encrypted, or a file of it cannot be read, or has no index. */
function badgesOf({ files, isEncrypted }: ObjectDetails): string[] {
  return [
    ...(isEncrypted ? ['encrypted'] : []),
    ...(files.some(({ bytes }) => bytes === undefined) ? ['unreadable'] : []),
    ...(files.every(({ index }) => index === undefined) ? ['unindexed'] : []),
  ];
}
