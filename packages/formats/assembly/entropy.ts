// The entropy coders of CRAM. JavaScript resets the memory for each block, and writes the input into allocated memory.
import { WRITE_AHEAD } from './names';
import { DIRECTORY, FREQUENCIES, READ_AHEAD, STATES } from './rans';

export { allocate, reset } from './memory';
export { decodeNames } from './names';
export { decodeQualities } from './qualities';
export { createModels, decodeSymbol, decodeSymbols, rangePosition, startRange } from './range-coder';
export { createTable, decodeOrder0, decodeOrder1 } from './rans';

/** Addresses of the areas. */
export const states: i32 = <i32>STATES;
export const frequencies: i32 = <i32>FREQUENCIES;
export const directory: i32 = <i32>DIRECTORY;

export const readAhead: i32 = READ_AHEAD;
export const writeAhead: i32 = WRITE_AHEAD;
