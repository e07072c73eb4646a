import { BitReader } from './bit-reader.js';
import { BLOCK_CONTENT, blockData, type CramBlock } from './block.js';
import { ByteCursor } from './byte-cursor.js';
import type { CramCompressionHeader } from './compression-header.js';
import { CORE_BLOCK, type CramEncoding, encodedBlocks } from './encoding.js';
import {
  type ArraySkipper,
  createArraySkipper,
  createValueReader,
  type SliceStreams,
  type ValueReader,
  type ValueType,
} from './series-reader.js';

/** What tells where records lie: reference, position, and the features that make them longer or shorter. */
const NEEDED = ['BF', 'RI', 'RL', 'AP', 'FN', 'FC', 'FP', 'DL', 'RS', 'IN', 'SC', 'BB'];

/** The series that say how often a series is read. Tags depend on TL. */
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

const BYTE_SERIES = ['FC', 'BS', 'BA', 'QS'];
const ARRAY_SERIES = ['RN', 'IN', 'SC', 'BB', 'QQ'];

/** Readers of the data series of a slice. Those that nothing depends on have none: their blocks stay compressed. */
export interface SliceSeries {
  /** By the two letters of a data series. */
  readonly values: ReadonlyMap<string, ValueReader>;
  readonly arrays: ReadonlyMap<string, ArraySkipper>;
  /** By the key of a tag. */
  readonly tags: ReadonlyMap<number, ArraySkipper>;
}

/**
 * Opens the series that are needed to tell where records lie, and those whose values stand between theirs in the same
 * block. Throws `FormatError` as `blockData`, and INVALID_DATA for an encoding that a series cannot have.
 */
export function openSliceSeries(header: CramCompressionHeader, blocks: readonly CramBlock[]): SliceSeries {
  const names = findSeries(header);
  const streams = createStreams(blocks);
  const values = new Map<string, ValueReader>();
  const arrays = new Map<string, ArraySkipper>();
  for (const [name, encoding] of header.encodings) {
    if (!names.has(name) || encoding.kind === 'NULL') continue;
    if (ARRAY_SERIES.includes(name)) arrays.set(name, createArraySkipper(encoding, streams));
    else values.set(name, createValueReader(encoding, valueType(name), streams));
  }
  const tags = new Map<number, ArraySkipper>();
  for (const [key, encoding] of header.tagEncodings) {
    if (names.has(tagName(key))) tags.set(key, createArraySkipper(encoding, streams));
  }
  return { values, arrays, tags };
}

function valueType(name: string): ValueType {
  return BYTE_SERIES.includes(name) ? 'byte' : 'number';
}

function tagName(key: number): string {
  return `tag ${key}`;
}

/** Needed series, those that share a block with one that is needed, and what both depend on, as long as there are more. */
function findSeries(header: CramCompressionHeader): Set<string> {
  const encodings = new Map<string, CramEncoding>(header.encodings);
  for (const [key, encoding] of header.tagEncodings) encodings.set(tagName(key), encoding);
  const blocks = new Map([...encodings].map(([name, encoding]) => [name, encodedBlocks(encoding)]));
  const found = new Set(NEEDED);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const name of [...found]) {
      for (const other of PREREQUISITES.get(name) ?? (name.startsWith('tag ') ? ['TL'] : [])) found.add(other);
    }
    const used = new Set([...found].flatMap((name) => blocks.get(name) ?? []));
    for (const [name, ids] of blocks) if (ids.some((id) => used.has(id))) found.add(name);
  }
  return found;
}

/** Blocks are uncompressed when a series asks for them. A series whose block is missing has no values. */
function createStreams(blocks: readonly CramBlock[]): SliceStreams {
  const cursors = new Map<number, ByteCursor>();
  const open = (contentId: number): ByteCursor => {
    let cursor = cursors.get(contentId);
    if (cursor === undefined) {
      const block = blocks.find((candidate) => contentIdOf(candidate) === contentId);
      cursor = new ByteCursor(block === undefined ? new Uint8Array(0) : blockData(block), block?.dataOffset);
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
