import type { ByteCursor } from '../../byte-cursor.js';

/** States of rANS are below this bound. */
const STATE_LIMIT = 2 ** 31;

/** Reads the initial states of rANS. Decoding keeps them between their bounds. Throws `FormatError` `INVALID_DATA`. */
export function readStates(
  cursor: ByteCursor,
  { hasWords, stateCount }: { readonly hasWords: boolean; readonly stateCount: number },
): Int32Array {
  return Int32Array.from({ length: stateCount }, () => {
    const state = cursor.readUint32();
    if (state < (hasWords ? 2 ** 15 : 2 ** 23) || state >= STATE_LIMIT) {
      throw cursor.invalid('state of rANS is invalid');
    }
    return state;
  });
}

/** Reads the initial code of the arithmetic coder: four bytes after one that is ignored. */
export function readRangeCode(cursor: ByteCursor): number {
  cursor.skip(1);
  let code = 0;
  for (let byte = 0; byte < 4; byte++) code = code * 256 + cursor.readByte();
  return code;
}
