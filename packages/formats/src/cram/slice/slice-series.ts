import { FormatError } from '../../format-error.js';
import { BitReader, ByteCursor } from '../byte-cursor.js';
import { BLOCK_CONTENT, blockData, type CramBlock, type CramDecodeBudget, MAX_RAW_SIZE } from '../container/block.js';
import type { CramCompressionHeader } from '../container/compression-header.js';
import { CORE_BLOCK, type CramEncoding, encodedBlocks } from '../container/encoding.js';
import {
  type ArraySkipper,
  createArraySkipper,
  createValueReader,
  type SliceStreams,
  type ValueReader,
  type ValueType,
} from './series-reader.js';

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
  /** The names of the selected series. */
  readonly opened: ReadonlySet<string>;
  readonly numbers: Readonly<Record<(typeof NUMBER_SERIES)[number], ValueReader>>;
  readonly bytes: Readonly<Record<(typeof BYTE_SERIES)[number], ValueReader>>;
  readonly arrays: Readonly<Record<(typeof ARRAY_SERIES)[number], ArraySkipper>>;
  /** By the key of the tag. */
  readonly tags: ReadonlyMap<number, ArraySkipper>;
}

/** Reads a series that is not selected. */
const ABSENT: ValueReader = { read: () => 0, skip: () => undefined };

/** The encodings of the series and tags of a container that its slices are decoded with. */
export interface SeriesSelection {
  readonly encodings: ReadonlyMap<string, CramEncoding>;
  readonly tagEncodings: ReadonlyMap<number, CramEncoding>;
}

/** The blocks of a slice. */
export interface SliceData {
  readonly blocks: readonly CramBlock[];
  readonly budget: CramDecodeBudget;
  /** Bytes from the start of the file to the slice, for the offsets of errors. */
  readonly offset: number;
}

/** Selects the series that determine where records are, and those whose values are interleaved with theirs in a block. */
export function selectSeries(header: CramCompressionHeader): SeriesSelection {
  const names = findSeries(header);
  const encodings = [...header.encodings].filter(([name, { kind }]) => names.has(name) && kind !== 'NULL');
  const tagEncodings = [...header.tagEncodings].filter(([key]) => names.has(tagName(key)));
  return { encodings: new Map(encodings), tagEncodings: new Map(tagEncodings) };
}

/** Opens the selected series of a slice. Throws what `blockData` throws, also for an unsuitable encoding. */
export function openSliceSeries({ encodings, tagEncodings }: SeriesSelection, data: SliceData): SliceSeries {
  const streams = createStreams(data);
  const open = <Reader>(name: string, absent: Reader, create: (encoding: CramEncoding) => Reader): Reader => {
    const encoding = encodings.get(name);
    return encoding === undefined ? absent : create(encoding);
  };
  const openValues = (name: string, type: ValueType): ValueReader =>
    open(name, ABSENT, (encoding) => createValueReader(encoding, type, streams));
  // As in htslib, an array of a series without an encoding is one byte long.
  const openArray = (name: string): ArraySkipper =>
    open<ArraySkipper>(
      name,
      () => 1,
      (encoding) => createArraySkipper(encoding, streams),
    );
  const numbers = byName(NUMBER_SERIES, (name) => openValues(name, 'number'));
  const bytes = byName(BYTE_SERIES, (name) => openValues(name, 'byte'));
  const arrays = byName(ARRAY_SERIES, openArray);
  data.budget.spendSteps(tagEncodings.size, data.offset);
  const tags = new Map<number, ArraySkipper>();
  for (const [key, encoding] of tagEncodings) tags.set(key, createArraySkipper(encoding, streams));
  return { opened: new Set(encodings.keys()), numbers, bytes, arrays, tags };
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

/** Creates streams that decompress a block when a series opens it. A missing block is empty. */
function createStreams({ blocks, budget, offset }: SliceData): SliceStreams {
  const byContentId = new Map<number | undefined, CramBlock>();
  for (const block of blocks) {
    const contentId = contentIdOf(block);
    if (!byContentId.has(contentId)) byContentId.set(contentId, block);
  }
  const cursors = new Map<number, ByteCursor>();
  let rawSize = 0;
  const open = (contentId: number): ByteCursor => {
    let cursor = cursors.get(contentId);
    if (cursor === undefined) {
      const block = byContentId.get(contentId);
      rawSize += block?.rawSize ?? 0;
      if (rawSize > MAX_RAW_SIZE) {
        const message = `blocks of a slice are over the limit of ${MAX_RAW_SIZE} uncompressed bytes`;
        throw new FormatError('LIMIT_EXCEEDED', message, { offset });
      }
      cursor = new ByteCursor(block === undefined ? new Uint8Array(0) : blockData(block, budget), block?.dataOffset);
      cursors.set(contentId, cursor);
    }
    return cursor;
  };
  return { core: new BitReader(open(CORE_BLOCK)), external: open };
}

function contentIdOf({ contentType, contentId }: CramBlock): number | undefined {
  if (contentType === BLOCK_CONTENT.core) return CORE_BLOCK;
  return contentType === BLOCK_CONTENT.external ? contentId : undefined;
}
