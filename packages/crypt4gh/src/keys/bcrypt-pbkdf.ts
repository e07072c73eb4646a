import { yieldToEventLoop } from '@htskit/io/internal';
import { sha512 } from '@noble/hashes/sha2.js';
import { Blowfish } from './blowfish.js';

const MAGIC = new TextEncoder().encode('OxychromaticBlowfishSwatDynamite');
const EXPANSIONS = 64;
const ENCRYPTIONS = 64;

export interface BcryptInput {
  readonly passphrase: Uint8Array;
  readonly salt: Uint8Array;
  /** Each takes some 10 ms. */
  readonly rounds: number;
}

/** Derives a key of 32 bytes as bcrypt_pbkdf(3) of OpenBSD does. Other work proceeds between the rounds. */
export async function bcryptPbkdf({ passphrase, salt, rounds }: BcryptInput): Promise<Uint8Array> {
  const hashedPassphrase = sha512(passphrase);
  const key = new Uint8Array(MAGIC.length);
  // The number of the block, which is the only one, follows the salt.
  let hashedSalt = sha512(Uint8Array.of(...salt, 0, 0, 0, 1));
  for (let round = 0; round < rounds; round++) {
    const block = hashBlock(hashedPassphrase, hashedSalt);
    for (const [at, byte] of block.entries()) key[at] = (key[at] ?? 0) ^ byte;
    hashedSalt = sha512(block);
    await yieldToEventLoop();
  }
  hashedPassphrase.fill(0);
  return key;
}

function hashBlock(passphrase: Uint8Array, salt: Uint8Array): Uint8Array {
  const cipher = new Blowfish();
  cipher.expand(passphrase, salt);
  for (let i = 0; i < EXPANSIONS; i++) {
    cipher.expand(salt);
    cipher.expand(passphrase);
  }
  const magic = new DataView(MAGIC.buffer);
  const words = Uint32Array.from({ length: MAGIC.length / 4 }, (_, index) => magic.getUint32(4 * index));
  for (let i = 0; i < ENCRYPTIONS; i++) cipher.encrypt(words);
  const block = new Uint8Array(MAGIC.length);
  const view = new DataView(block.buffer);
  for (const [index, word] of words.entries()) view.setUint32(4 * index, word, true);
  return block;
}
