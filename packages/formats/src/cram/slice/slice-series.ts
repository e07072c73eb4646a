import { type FormatError, invalidData } from '../../format-error.js';
import type { ByteCursor, Positioned } from '../byte-cursor.js';
import type { CramEncoding } from '../container/encoding.js';
import { ByteSeries, NumberSeries } from './buffered-series.js';
import { constantOf, createArrayReader, createValueReader, type ValueType } from './series-reader.js';
import type { SeriesSelection } from './series-selection.js';
import type { SliceStreams, StoredSlice } from './stored-slice.js';
import { type ArrayReader, createFailingArrayReader, createFailingReader, type ValueReader } from './value-reader.js';

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
  readonly numbers: Readonly<Record<(typeof NUMBER_SERIES)[number], NumberSeries>>;
  readonly bytes: Readonly<Record<(typeof BYTE_SERIES)[number], ByteSeries>>;
  readonly arrays: Readonly<Record<(typeof ARRAY_SERIES)[number], ArrayReader>>;
  /** By the key of the tag. */
  readonly tags: ReadonlyMap<number, ArrayReader>;
  /** Whether all tags are read, so that a tag of the dictionary that lacks its encoding is an error. */
  readonly hasAllTags: boolean;
  /** All that the readers read from. */
  readonly streams: readonly Positioned[];
}

/** Reads a series that is not selected. Its arrays are empty, so that features have no more bases than their record. */
const UNSELECTED: ValueReader = { read: () => 0, skip: () => undefined, readInto: () => undefined };
const UNSELECTED_ARRAY: ArrayReader = {
  read: () => 0,
  skip: () => 0,
  bytes: new Uint8Array(0),
  view: new DataView(new ArrayBuffer(0)),
  start: 0,
};

/**
 * Opens the selected series of a slice. With `isWhole`, numbers that have blocks of their own are decoded at once, so that records
 * can be read in any order. Throws what `blockData` throws.
 */
export function openSliceSeries(
  selection: SeriesSelection,
  slice: StoredSlice,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): SliceSeries {
  const { encodings, tagEncodings, names } = selection;
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
  const numbers = byName(NUMBER_SERIES, (name) => {
    const encoding = encodings.get(name);
    const block = ownBlock(encoding, selection, streams);
    const constant = encoding && constantOf(encoding);
    if (isWhole && block !== undefined) slice.hold(Int32Array.BYTES_PER_ELEMENT * block.remaining);
    return new NumberSeries(openValues(name, 'number'), { block, constant, isWhole });
  });
  const bytes = byName(
    BYTE_SERIES,
    (name) => new ByteSeries(openValues(name, 'byte'), ownBlock(encodings.get(name), selection, streams)),
  );
  const arrays = byName(ARRAY_SERIES, openArray);
  slice.budget.spendSteps(tagEncodings.size, slice.offset);
  const tags = new Map<number, ArrayReader>();
  for (const [key, encoding] of tagEncodings) tags.set(key, createArrayReader(encoding, streams));
  const positioned = [...Object.values(numbers), ...Object.values(bytes), ...streams.opened()];
  return { numbers, bytes, arrays, tags, hasAllTags: names === undefined, streams: positioned };
}

/** Returns the external block of an encoding that no other series takes values from; undefined if there is none. */
function ownBlock(
  encoding: CramEncoding | undefined,
  { sharedBlocks }: SeriesSelection,
  streams: SliceStreams,
): ByteCursor | undefined {
  if (encoding?.kind !== 'EXTERNAL' || sharedBlocks.has(encoding.contentId)) return undefined;
  return streams.external(encoding.contentId);
}

function byName<Name extends string, Reader>(
  names: readonly Name[],
  open: (name: Name) => Reader,
): Record<Name, Reader> {
  return Object.fromEntries(names.map((name) => [name, open(name)])) as Record<Name, Reader>;
}
