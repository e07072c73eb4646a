const [TAB, COLON] = [0x09, 0x3a];
const TABS = 0x0909_0909;

/**
 * Returns the start of the column after the one at `at`, or a number over `end` if the line, which ends at `end`, has no further
 * one. Four bytes are compared at once: values of samples are too short for a call of native code.
 */
export function columnAfter(view: DataView, at: number, end: number): number {
  let from = at;
  for (const last = end - 4; from <= last; from += 4) {
    const word = view.getInt32(from, true) ^ TABS;
    // The highest bit of each byte that was a tab; those after the first tab may be wrong.
    const tabs = (word - 0x0101_0101) & ~word & 0x8080_8080;
    if (tabs !== 0) return from + 1 + ((31 - Math.clz32(tabs & -tabs)) >> 3);
  }
  for (; from < end; from++) if (view.getUint8(from) === TAB) return from + 1;
  return end + 1;
}

/** Returns the index of a key in the column FORMAT at `start` of a line that ends at `end`; −1 if it is not a key. */
export function findFormatKey(
  bytes: Uint8Array,
  { key, start, end }: { readonly key: Uint8Array; readonly start: number; readonly end: number },
): number {
  let index = 0;
  for (let at = start; at <= end; index++) {
    let matched = 0;
    while (matched < key.length && at < end && bytes[at] === key[matched]) {
      matched++;
      at++;
    }
    const isMatch = matched === key.length && isValueEnd(bytes, at, end);
    if (isMatch) return index;
    while (!isValueEnd(bytes, at, end)) at++;
    if (at === end || bytes[at] === TAB) return -1;
    at++;
  }
  return -1;
}

/** Returns the start of the value with an index in the sample at `start`; if the sample lacks the value, its end. */
export function valueStart(
  bytes: Uint8Array,
  { start, end, index }: { readonly start: number; readonly end: number; readonly index: number },
): number {
  let at = start;
  for (let i = 0; i < index; i++) {
    while (!isValueEnd(bytes, at, end)) at++;
    if (at === end || bytes[at] === TAB) return at;
    at++;
  }
  return at;
}

/** Returns the end of the value of a sample at `start`. */
export function valueEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (!isValueEnd(bytes, at, end)) at++;
  return at;
}

function isValueEnd(bytes: Uint8Array, at: number, end: number): boolean {
  const byte = at < end ? bytes[at] : TAB;
  return byte === TAB || byte === COLON;
}
