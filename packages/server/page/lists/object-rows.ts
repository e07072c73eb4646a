import type { FaultKind, ObjectDetails } from '../../src/runtime/page/object-details.js';
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
export function objectRow(object: ObjectDetails, faults: readonly FaultKind[]): Cell[] {
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
    badges(object, faults),
  ];
}

/** What the badges mean. */
const MEANINGS: Readonly<Record<string, string>> = {
  encrypted: 'a file is stored encrypted',
  unreadable: 'a file cannot be read',
  unindexed: 'no file has an index',
  damaged: 'a file is truncated or malformed, or its index is of another file',
  doubtful: 'a file may be truncated',
  'reference-less': 'the reference of the CRAM file is not served',
};

/** Shows what is notable of an object: how it is stored, and the faults of its files. */
export function badges(
  { files, isEncrypted }: Pick<ObjectDetails, 'files' | 'isEncrypted'>,
  faults: readonly FaultKind[],
): HTMLElement {
  const isUnreadable = files.some(({ bytes }) => bytes === undefined);
  const names = [
    ...(isEncrypted ? ['encrypted'] : []),
    ...(isUnreadable ? ['unreadable'] : faults),
    ...(files.every(({ index }) => index === undefined) ? ['unindexed'] : []),
  ];
  const chips = names.map((name) => h('span', { class: `chip badge ${name}`, title: MEANINGS[name] ?? '' }, name));
  return h('span', { class: 'badges' }, ...chips);
}
