import { copyBytes, viewOf } from '../bytes/copy-bytes.js';
import type { GrowingList } from './list-column.js';

/** The places of the values of records in data: those of record i are the bytes [starts[i], ends[i]), or none if starts[i] is −1. */
export interface BytePlaces {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** The start of a value that a record lacks. */
export const NO_VALUE = -1;

/** Returns memory for the places of values of `count` records. */
export function createPlaces(count: number): BytePlaces {
  return { starts: new Int32Array(count), ends: new Int32Array(count) };
}

/** Appends the bytes of records as lists. Room is made once for all of them, which takes half of the time of one by one. */
export function appendByteLists(
  list: GrowingList<Uint8Array<ArrayBuffer>>,
  view: DataView,
  { starts, ends }: BytePlaces,
): void {
  const count = starts.length;
  let byteLength = 0;
  let hasAll = true;
  for (let i = 0; i < count; i++) {
    const start = starts[i] ?? NO_VALUE;
    if (start === NO_VALUE) hasAll = false;
    else byteLength += (ends[i] ?? start) - start;
  }
  let to = list.values.reserve(byteLength);
  const target = viewOf(list.values.values);
  let at = hasAll ? list.reserveEnds(count) : 0;
  const listEnds = list.ends.values;
  for (let i = 0; i < count; i++) {
    const start = starts[i] ?? NO_VALUE;
    const length = start === NO_VALUE ? 0 : (ends[i] ?? start) - start;
    copyBytes({ view: target, to }, view, start, length);
    to += length;
    if (hasAll) listEnds[at++] = to;
    else list.endAt(to, start !== NO_VALUE);
  }
}
