/** Words of the P-array, which the S-boxes follow. */
const P_WORDS = 18;
const BOX_WORDS = 256;
const STATE_WORDS = P_WORDS + 4 * BOX_WORDS;
/** Bits of pi that are computed and dropped, because rounding affects them. */
const GUARD_BITS = 64;

/** The initial state, which is computed when it is first needed: a table of it would have 4 KiB. */
let initialState: Uint32Array | undefined;

/** Blowfish with the key schedule of bcrypt: keys and salts of any length, repeated as needed. Words are big-endian. */
export class Blowfish {
  readonly #state: Uint32Array;

  constructor() {
    initialState ??= computeInitialState();
    this.#state = initialState.slice();
  }

  /** Mixes a key into the state, and a salt into the blocks that replace it. */
  expand(key: Uint8Array, salt?: Uint8Array): void {
    const state = this.#state;
    const nextKey = readWords(key);
    for (let at = 0; at < P_WORDS; at++) state[at] = (state[at] ?? 0) ^ nextKey();
    const nextSalt = salt === undefined ? () => 0 : readWords(salt);
    const block = new Uint32Array(2);
    for (let at = 0; at < STATE_WORDS; at += 2) {
      block[0] = (block[0] ?? 0) ^ nextSalt();
      block[1] = (block[1] ?? 0) ^ nextSalt();
      this.#encryptBlock(block, 0);
      state.set(block, at);
    }
  }

  /** Encrypts blocks of two words in place. */
  encrypt(words: Uint32Array): void {
    for (let at = 0; at < words.length; at += 2) this.#encryptBlock(words, at);
  }

  #encryptBlock(words: Uint32Array, at: number): void {
    const state = this.#state;
    let left = (words[at] ?? 0) ^ (state[0] ?? 0);
    let right = words[at + 1] ?? 0;
    for (let round = 1; round < P_WORDS - 1; round += 2) {
      right ^= mix(state, left) ^ (state[round] ?? 0);
      left ^= mix(state, right) ^ (state[round + 1] ?? 0);
    }
    words[at] = right ^ (state[P_WORDS - 1] ?? 0);
    words[at + 1] = left;
  }
}

function mix(state: Uint32Array, word: number): number {
  const first = state[P_WORDS + (word >>> 24)] ?? 0;
  const second = state[P_WORDS + BOX_WORDS + ((word >>> 16) & 255)] ?? 0;
  const third = state[P_WORDS + 2 * BOX_WORDS + ((word >>> 8) & 255)] ?? 0;
  const fourth = state[P_WORDS + 3 * BOX_WORDS + (word & 255)] ?? 0;
  return (((first + second) ^ third) + fourth) | 0;
}

/** Returns a function that returns the next word of bytes that repeat. */
function readWords(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    let word = 0;
    for (let i = 0; i < 4; i++) {
      word = (word << 8) | (bytes[at] ?? 0);
      at = (at + 1) % bytes.length;
    }
    return word;
  };
}

/** Computes the initial state, the fractional part of pi, by the formula of Machin. */
function computeInitialState(): Uint32Array {
  const bits = STATE_WORDS * 32;
  const one = 1n << BigInt(bits + GUARD_BITS);
  const pi = 4n * (4n * inverseTangent(5n, one) - inverseTangent(239n, one));
  const digits = ((pi - 3n * one) >> BigInt(GUARD_BITS)).toString(16).padStart(bits / 4, '0');
  return Uint32Array.from({ length: STATE_WORDS }, (_, index) => Number(`0x${digits.slice(8 * index, 8 * index + 8)}`));
}

/** Returns arctan(1 / x) in units of 1 / one. */
function inverseTangent(x: bigint, one: bigint): bigint {
  let power = one / x;
  let sum = power;
  for (let divisor = 3n, sign = -1n; power > 0n; divisor += 2n, sign = -sign) {
    power /= x * x;
    sum += sign * (power / divisor);
  }
  return sum;
}
