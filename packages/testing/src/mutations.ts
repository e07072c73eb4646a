import { setImmediate } from 'node:timers/promises';
import { createRandom } from './random.js';

/** A damaged copy of some bytes. */
export interface Mutation {
  /** The damage in words, for the message of a failing test. */
  readonly description: string;
  readonly bytes: Uint8Array;
}

export interface MutationOptions {
  readonly seed: number;
  readonly count: number;
}

export interface MutationCheck extends MutationOptions {
  /**
   * Reads the damaged bytes; `index` counts from 0. Returns true if they were accepted and false if they were refused
   * with the right error. Throws if the result or the error is wrong.
   */
  readonly check: (bytes: Uint8Array, index: number) => boolean | Promise<boolean>;
}

export interface MutationOutcomes {
  readonly accepted: number;
  readonly refused: number;
}

/** Seconds that no small input takes. Checked by `pnpm mutate` only, which has no other way to report an endless loop. */
const MAX_SECONDS = 5;

/** Counts, lengths and offsets that parsers trip over. */
const EXTREMES = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

/** Draws an integer in [0, limit). */
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

/** Joins a prefix and a suffix that overlap or leave a hole, so that bytes are repeated or lost. */
function splice(bytes: Uint8Array, draw: Draw): Mutation {
  const end = draw(bytes.length + 1);
  const start = draw(bytes.length + 1);
  const mutated = new Uint8Array(end + bytes.length - start);
  mutated.set(bytes.subarray(0, end));
  mutated.set(bytes.subarray(start), end);
  return { description: `bytes up to ${end} followed by those from ${start}`, bytes: mutated };
}

const MUTATORS: readonly Mutator[] = [flipBit, setByte, setField, setField, truncate, insert, splice];

/** Yields `count` damaged copies of `bytes`, the same ones for the same seed. Throws if `bytes` is empty. */
export function* mutations(bytes: Uint8Array, { seed, count }: MutationOptions): Generator<Mutation, void> {
  if (bytes.length === 0) throw new Error('nothing to mutate');
  const random = createRandom(seed);
  const draw: Draw = (limit) => Math.floor(random() * limit);
  // A plain array, because `slice` of a Buffer is a view in which the damage would accumulate.
  const original = new Uint8Array(bytes);
  for (let i = 0; i < count; i++) {
    const mutator = MUTATORS[draw(MUTATORS.length)] ?? flipBit;
    yield mutator(original, draw);
  }
}

/**
 * Runs `check` on `count` damaged copies of `bytes` and counts the outcomes. The environment variable HTSKIT_MUTATIONS
 * replaces `count`: this is how `pnpm mutate` repeats the tests at volume. Throws an error that names the damage and has
 * what `check` threw as its cause.
 */
export async function checkMutations(
  bytes: Uint8Array,
  { seed, count, check }: MutationCheck,
): Promise<MutationOutcomes> {
  const volume = process.env['HTSKIT_MUTATIONS'];
  const outcomes = { accepted: 0, refused: 0 };
  let index = 0;
  for (const mutation of mutations(bytes, { seed, count: volume === undefined ? count : Number(volume) })) {
    const started = performance.now();
    try {
      outcomes[(await check(mutation.bytes, index)) ? 'accepted' : 'refused'] += 1;
    } catch (cause) {
      throw new Error(`${mutation.description} (seed ${seed}, mutation ${index})`, { cause });
    }
    if (volume !== undefined && performance.now() - started > MAX_SECONDS * 1000) {
      throw new Error(`${mutation.description} (seed ${seed}, mutation ${index}): over ${MAX_SECONDS} seconds`);
    }
    index += 1;
    // node:zlib, which independent readers use, frees the state of a failed call only in the next turn of the event loop.
    if (index % 1000 === 0) await setImmediate();
  }
  return outcomes;
}
