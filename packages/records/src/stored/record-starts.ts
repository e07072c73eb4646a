import type { VirtualOffset } from '@htskit/bgzf';
import type { DisjointInterval } from '../region.js';
import type { CachePart, FileCache } from '../source/file-cache.js';

/** Weight of an entry. */
const ENTRY_BYTES = 256;

/** The place where the records of an interval begin. */
interface RecordStart {
  readonly referenceName: string;
  /** No record before `at` covers this base of the reference, or a later one. */
  readonly base: number;
  /** The start of a record. */
  readonly at: VirtualOffset;
}

/** Remembers the first records of intervals. A chunk of an index begins thousands of bases before them: with a window of 16 kb. */
export class RecordStarts {
  readonly #kept: CachePart<RecordStart>;

  constructor(cache: FileCache) {
    this.#kept = cache.part('start');
  }

  /** Returns where the records of an interval begin at the earliest, if none of them begins before `start`. */
  firstFrom(start: VirtualOffset, { referenceName, start: base }: DisjointInterval): VirtualOffset {
    const known = this.#kept.get(keyOf(start));
    return known?.referenceName === referenceName && known.base <= base ? known.at : start;
  }

  /** Remembers that no record of an interval begins between `start` and `at`. */
  add(start: VirtualOffset, { referenceName, start: base, recordsFrom }: DisjointInterval, at: VirtualOffset): void {
    // Records that overlap the interval were left out.
    if (recordsFrom > base) return;
    const key = keyOf(start);
    const known = this.#kept.get(key);
    if (known?.referenceName === referenceName && known.base >= base) return;
    this.#kept.set(key, { referenceName, base, at }, ENTRY_BYTES);
  }
}

function keyOf({ coffset, uoffset }: VirtualOffset): string {
  return `${coffset}.${uoffset}`;
}
