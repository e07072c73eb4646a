import { type FormatError, invalidData } from '../../format-error.js';
import type { CramCompressionHeader } from '../container/compression-header.js';
import { type CramEncoding, encodedBlocks } from '../container/encoding.js';
import { createArrayReader, createValueReader, type ValueType } from './series-reader.js';
import type { StoredSlice } from './stored-slice.js';
import { type ArrayReader, createFailingArrayReader, createFailingReader, type ValueReader } from './value-reader.js';

/** The series that determine where records are: reference, position, and the features that change their length. */
const NEEDED = ['BF', 'RI', 'RL', 'AP', 'FN', 'FC', 'FP', 'DL', 'RS', 'IN', 'SC', 'BB'];

/** The series that determine how often each other series is read. For tags, that is TL. */
const PREREQUISITES: ReadonlyMap<string, readonly string[]> = new Map([
  ['RN', ['CF']],
  ['MF', ['CF']],
  ['NS', ['CF']],
  ['NP', ['CF']],
  ['TS', ['CF']],
  ['NF', ['CF']],
  ['MQ', ['BF']],
  ['BS', ['FC']],
  ['QQ', ['FC']],
  ['PD', ['FC']],
  ['HC', ['FC']],
  ['BA', ['BF', 'RL', 'FC']],
  ['QS', ['BF', 'CF', 'RL', 'FC']],
]);

const NUMBER_SERIES = [
  'BF',
  'CF',
  'RI',
  'RL',
  'AP',
  'RG',
  'MF',
  'NS',
  'NP',
  'TS',
  'NF',
  'TL',
  'FN',
  'FP',
  'DL',
  'RS',
  'PD',
  'HC',
  'MQ',
] as const;
const BYTE_SERIES = ['FC', 'BS', 'BA', 'QS'] as const;
const ARRAY_SERIES = ['RN', 'IN', 'SC', 'BB', 'QQ'] as const;

/** The readers of a slice's data series. A series that is not selected reads nothing, so that its blocks stay compressed. */
export interface SliceSeries {
  readonly numbers: Readonly<Record<(typeof NUMBER_SERIES)[number], ValueReader>>;
  readonly bytes: Readonly<Record<(typeof BYTE_SERIES)[number], ValueReader>>;
  readonly arrays: Readonly<Record<(typeof ARRAY_SERIES)[number], ArrayReader>>;
  /** By the key of the tag. */
  readonly tags: ReadonlyMap<number, ArrayReader>;
}

/** Reads a series that is not selected. As in htslib, an array is one byte long. */
const UNSELECTED: ValueReader = { read: () => 0, skip: () => undefined, readInto: () => undefined };
const UNSELECTED_ARRAY: ArrayReader = { read: () => 1, skip: () => 1, bytes: new Uint8Array(1), start: 0 };

/** The encodings of the series and tags of a container that its slices are decoded with. */
export interface SeriesSelection {
  readonly encodings: ReadonlyMap<string, CramEncoding>;
  readonly tagEncodings: ReadonlyMap<number, CramEncoding>;
  /** The names of the series that are wanted; undefined for all. Reading a value of one without an encoding is an error. */
  readonly names?: ReadonlySet<string>;
}

/** Selects all series and tags. */
export function selectAll({ encodings, tagEncodings }: CramCompressionHeader): SeriesSelection {
  return {
    encodings: new Map([...encodings].filter(([, { kind }]) => kind !== 'NULL')),
    tagEncodings,
  };
}

/** Selects the series that determine where records are, and those whose values are interleaved with theirs in a block. */
export function selectPositions(header: CramCompressionHeader): SeriesSelection {
  const names = findSeries(header);
  const encodings = [...header.encodings].filter(([name, { kind }]) => names.has(name) && kind !== 'NULL');
  const tagEncodings = [...header.tagEncodings].filter(([key]) => names.has(tagName(key)));
  return { encodings: new Map(encodings), tagEncodings: new Map(tagEncodings), names };
}

/** Opens the selected series of a slice. Throws what `blockData` throws. */
export function openSliceSeries({ encodings, tagEncodings, names }: SeriesSelection, slice: StoredSlice): SliceSeries {
  const streams = slice.openStreams();
  const isWanted = (name: string): boolean => names?.has(name) ?? true;
  const missing = (name: string) => (): FormatError =>
    invalidData(`compression header lacks the data series ${name}`, slice.offset);
  const openValues = (name: string, type: ValueType): ValueReader => {
    const encoding = encodings.get(name);
    if (encoding !== undefined) return createValueReader(encoding, type, streams);
    return isWanted(name) ? createFailingReader(missing(name)) : UNSELECTED;
  };
  const openArray = (name: string): ArrayReader => {
    const encoding = encodings.get(name);
    if (encoding !== undefined) return createArrayReader(encoding, streams);
    return isWanted(name) ? createFailingArrayReader(missing(name)) : UNSELECTED_ARRAY;
  };
  const numbers = byName(NUMBER_SERIES, (name) => openValues(name, 'number'));
  const bytes = byName(BYTE_SERIES, (name) => openValues(name, 'byte'));
  const arrays = byName(ARRAY_SERIES, openArray);
  slice.budget.spendSteps(tagEncodings.size, slice.offset);
  const tags = new Map<number, ArrayReader>();
  for (const [key, encoding] of tagEncodings) tags.set(key, createArrayReader(encoding, streams));
  return { numbers, bytes, arrays, tags };
}

function byName<Name extends string, Reader>(
  names: readonly Name[],
  open: (name: Name) => Reader,
): Record<Name, Reader> {
  return Object.fromEntries(names.map((name) => [name, open(name)])) as Record<Name, Reader>;
}

function tagName(key: number): string {
  return `tag ${key}`;
}

/** Returns the names of the needed series, their prerequisites, the series that share a block with one of them, and so on. */
function findSeries(header: CramCompressionHeader): Set<string> {
  const encodings = new Map<string, CramEncoding>(header.encodings);
  for (const [key, encoding] of header.tagEncodings) encodings.set(tagName(key), encoding);
  const blocks = new Map([...encodings].map(([name, encoding]) => [name, encodedBlocks(encoding)]));
  const sharing = new Map<number, string[]>();
  for (const [name, ids] of blocks) {
    for (const id of ids) {
      const names = sharing.get(id);
      if (names === undefined) sharing.set(id, [name]);
      else names.push(name);
    }
  }
  const found = new Set(NEEDED);
  // The iteration reaches names that are added during it, too.
  for (const name of found) {
    for (const other of PREREQUISITES.get(name) ?? (name.startsWith('tag ') ? ['TL'] : [])) found.add(other);
    for (const id of blocks.get(name) ?? []) {
      for (const other of sharing.get(id) ?? []) found.add(other);
      sharing.delete(id);
    }
  }
  return found;
}
