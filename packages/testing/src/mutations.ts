import { createRandom } from './random.js';

/** A damaged copy of some bytes. */
export interface Mutation {
  /** What was done to them, for test failures. */
  readonly description: string;
  readonly bytes: Uint8Array;
}

export interface MutationOptions {
  readonly seed: number;
  readonly count: number;
}

/** Counts, lengths and offsets that parsers trip over. */
const EXTREMES = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

/** A whole number in [0, limit). */
type Draw = (limit: number) => number;
type Mutator = (bytes: Uint8Array, draw: Draw) => Mutation;

function flipBit(bytes: Uint8Array, draw: Draw): Mutation {
  const mutated = bytes.slice();
  const at = draw(bytes.length);
  const bit = draw(8);
  mutated[at] = (mutated[at] ?? 0) ^ (1 << bit);
  return { description: `bit ${bit} of byte ${at} flipped`, bytes: mutated };
}

function setByte(bytes: Uint8Array, draw: Draw): Mutation {
  const mutated = bytes.slice();
  const at = draw(bytes.length);
  const value = [0, 0xff, draw(256)][draw(3)] ?? 0;
  mutated[at] = value;
  return { description: `byte ${at} set to ${value}`, bytes: mutated };
}

function setField(bytes: Uint8Array, draw: Draw): Mutation {
  const mutated = bytes.slice();
  const at = draw(Math.max(1, bytes.length - 3));
  const value = EXTREMES[draw(EXTREMES.length)] ?? 0;
  for (let i = 0; i < 4 && at + i < mutated.length; i++) mutated[at + i] = (value >>> (8 * i)) & 0xff;
  return { description: `32-bit field at ${at} set to ${value}`, bytes: mutated };
}

function truncate(bytes: Uint8Array, draw: Draw): Mutation {
  const length = draw(bytes.length);
  return { description: `truncated to ${length} bytes`, bytes: bytes.slice(0, length) };
}

function insert(bytes: Uint8Array, draw: Draw): Mutation {
  const at = draw(bytes.length + 1);
  const inserted = Uint8Array.from({ length: 1 + draw(16) }, () => draw(256));
  const mutated = new Uint8Array(bytes.length + inserted.length);
  mutated.set(bytes.subarray(0, at));
  mutated.set(inserted, at);
  mutated.set(bytes.subarray(at), at + inserted.length);
  return { description: `${inserted.length} bytes inserted at ${at}`, bytes: mutated };
}

/** Joins a beginning and an end that overlap or leave a hole: pieces are repeated or lost. */
function splice(bytes: Uint8Array, draw: Draw): Mutation {
  const end = draw(bytes.length + 1);
  const start = draw(bytes.length + 1);
  const mutated = new Uint8Array(end + bytes.length - start);
  mutated.set(bytes.subarray(0, end));
  mutated.set(bytes.subarray(start), end);
  return { description: `bytes up to ${end} followed by those from ${start}`, bytes: mutated };
}

const MUTATORS: readonly Mutator[] = [flipBit, setByte, setField, setField, truncate, insert, splice];

/** Damaged copies of the bytes, the same ones for the same seed. The bytes must not be empty. */
export function* mutations(bytes: Uint8Array, { seed, count }: MutationOptions): Generator<Mutation, void> {
  if (bytes.length === 0) throw new Error('nothing to mutate');
  const random = createRandom(seed);
  const draw: Draw = (limit) => Math.floor(random() * limit);
  // A plain array: `slice` of a Buffer is a view, in which the damages would add up.
  const original = new Uint8Array(bytes);
  for (let i = 0; i < count; i++) {
    const mutator = MUTATORS[draw(MUTATORS.length)] ?? flipBit;
    yield mutator(original, draw);
  }
}
