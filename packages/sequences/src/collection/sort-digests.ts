import type { TimeSlice } from '@htskit/io/internal';
import type { IndexedList } from './collection-attributes.js';

/** Leading characters of a digest that its key holds, one byte each: as many as a double represents exactly. */
const KEY_CHARACTERS = 6;
/** Digests are evenly distributed over the buckets of their first two characters. */
const BUCKETS = 2 ** 16;
const BUCKET_SPAN = 2 ** (8 * (KEY_CHARACTERS - 2));

export interface SortDigestsOptions {
  /** Characters that all digests have in common at their start. */
  readonly prefixLength: number;
  readonly slice: TimeSlice;
}

/** Returns the indexes of the digests in the order of their UTF-16 code units. Takes 16 bytes of memory for each digest. */
export async function sortDigests(
  digests: IndexedList<string>,
  { prefixLength, slice }: SortDigestsOptions,
): Promise<Uint32Array> {
  const keys = new Float64Array(digests.length);
  const ends = new Uint32Array(BUCKETS + 1);
  for (let index = 0; index < keys.length; index++) {
    const key = toKey(digests.at(index) ?? '', prefixLength);
    keys[index] = key;
    const bucket = bucketOf(key);
    ends[bucket] = (ends[bucket] ?? 0) + 1;
    if (slice.isOverAt(index)) await slice.yieldToEventLoop();
  }
  for (let bucket = 1; bucket <= BUCKETS; bucket++) ends[bucket] = (ends[bucket] ?? 0) + (ends[bucket - 1] ?? 0);
  const order = new Uint32Array(keys.length);
  // From the last one, so that equal digests stay in their order.
  for (let index = keys.length - 1; index >= 0; index--) {
    const bucket = bucketOf(keys[index] ?? 0);
    const at = (ends[bucket] ?? 0) - 1;
    ends[bucket] = at;
    order[at] = index;
    if (slice.isOverAt(index)) await slice.yieldToEventLoop();
  }
  const compare = (a: number, b: number): number =>
    (keys[a] ?? 0) - (keys[b] ?? 0) || compareText(digests.at(a) ?? '', digests.at(b) ?? '');
  // `ends` holds the starts of the buckets by now.
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const [start = 0, end = 0] = [ends[bucket], ends[bucket + 1]];
    if (end - start > 1) order.subarray(start, end).sort(compare);
    if (slice.isOverAt(bucket)) await slice.yieldToEventLoop();
  }
  return order;
}

/** Digests are ASCII. Any other character has the greatest key, and the texts decide. */
function toKey(digest: string, prefixLength: number): number {
  let key = 0;
  for (let at = prefixLength; at < prefixLength + KEY_CHARACTERS; at++) {
    key = key * 256 + (at < digest.length ? Math.min(digest.charCodeAt(at), 255) : 0);
  }
  return key;
}

function bucketOf(key: number): number {
  return Math.floor(key / BUCKET_SPAN);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
