import type { CramCompressionHeader } from '../container/compression-header.js';
import { type CramEncoding, encodedBlocks } from '../container/encoding.js';

/** The series that determine where records are: reference, position, and the features that change their length. */
export const POSITION_SERIES: readonly string[] = [
  'BF',
  'RI',
  'RL',
  'AP',
  'FN',
  'FC',
  'FP',
  'DL',
  'RS',
  'IN',
  'SC',
  'BB',
];

/**
 * The series that determine how often each other series is read. For tags, that is TL. Records with features need the codes and
 * the places of them, too.
 */
const PREREQUISITES: ReadonlyMap<string, readonly string[]> = new Map([
  ['RN', ['CF']],
  ['MF', ['CF']],
  ['NS', ['CF']],
  ['NP', ['CF']],
  ['TS', ['CF']],
  ['NF', ['CF']],
  ['MQ', ['BF']],
  ['FN', ['BF', 'FC', 'FP']],
  ['FC', ['FN']],
  ['FP', ['FN']],
  ['DL', ['FC']],
  ['RS', ['FC']],
  ['IN', ['FC']],
  ['SC', ['FC']],
  ['BB', ['FC']],
  ['BS', ['FC']],
  ['QQ', ['FC']],
  ['PD', ['FC']],
  ['HC', ['FC']],
  ['BA', ['BF', 'RL', 'FC']],
  ['QS', ['BF', 'CF', 'RL', 'FC']],
]);

/** The encodings of the series and tags of a container that its slices are decoded with. */
export interface SeriesSelection {
  readonly encodings: ReadonlyMap<string, CramEncoding>;
  readonly tagEncodings: ReadonlyMap<number, CramEncoding>;
  /** The names of the series that are wanted; undefined for all. Reading a value of one without an encoding is an error. */
  readonly names?: ReadonlySet<string>;
  /** The blocks that several of these series take values from, in turns. */
  readonly sharedBlocks: ReadonlySet<number>;
}

/** Selects all series and tags. */
export function selectAll({ encodings, tagEncodings }: CramCompressionHeader): SeriesSelection {
  return select({
    encodings: new Map([...encodings].filter(([, { kind }]) => kind !== 'NULL')),
    tagEncodings,
  });
}

/** Selects the series that determine where records are, and those whose values are interleaved with theirs in a block. */
export function selectPositions(header: CramCompressionHeader): SeriesSelection {
  return selectSeries(header, POSITION_SERIES);
}

/** Selects some series and tags (see `tagSeries`), those that they depend on, and those whose values are interleaved with theirs. */
export function selectSeries(header: CramCompressionHeader, wanted: Iterable<string>): SeriesSelection {
  const names = findSeries(header, wanted);
  const encodings = [...header.encodings].filter(([name, { kind }]) => names.has(name) && kind !== 'NULL');
  const tagEncodings = [...header.tagEncodings].filter(([key]) => names.has(tagSeries(key)));
  return select({ encodings: new Map(encodings), tagEncodings: new Map(tagEncodings), names });
}

/** Returns the name of the series of a tag. */
export function tagSeries(key: number): string {
  return `tag ${key}`;
}

function select(selection: Omit<SeriesSelection, 'sharedBlocks'>): SeriesSelection {
  const [used, sharedBlocks] = [new Set<number>(), new Set<number>()];
  for (const encoding of [...selection.encodings.values(), ...selection.tagEncodings.values()]) {
    for (const id of encodedBlocks(encoding)) (used.has(id) ? sharedBlocks : used).add(id);
  }
  return { ...selection, sharedBlocks };
}

/** Returns the names of the wanted series, their prerequisites, the series that share a block with one of them, and so on. */
function findSeries(header: CramCompressionHeader, wanted: Iterable<string>): Set<string> {
  const encodings = new Map<string, CramEncoding>(header.encodings);
  for (const [key, encoding] of header.tagEncodings) encodings.set(tagSeries(key), encoding);
  const blocks = new Map([...encodings].map(([name, encoding]) => [name, encodedBlocks(encoding)]));
  const sharing = new Map<number, string[]>();
  for (const [name, ids] of blocks) {
    for (const id of ids) {
      const names = sharing.get(id);
      if (names === undefined) sharing.set(id, [name]);
      else names.push(name);
    }
  }
  const found = new Set(wanted);
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
