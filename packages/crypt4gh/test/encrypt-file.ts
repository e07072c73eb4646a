import { generateKeyPair, type KeyPair } from '@htskit/crypt4gh';
import {
  DataKey,
  encryptSegment,
  NONCE_BYTES,
  SEGMENT_BYTES,
  STORED_SEGMENT_BYTES,
  writeHeader,
} from '@htskit/crypt4gh/internal';
import { concatBytes } from '@htskit/io';
import { createRandom } from '@htskit/testing';

/** The reader of the files of the tests. */
export const reader: KeyPair = generateKeyPair();
const writer = generateKeyPair();

/** Returns bytes that do not repeat. */
export function noise(length: number, seed = 7): Uint8Array {
  const random = createRandom(seed);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

export interface EncryptedInput {
  readonly editList?: readonly number[];
  /** Segments are encrypted with them in turns. Default 1. */
  readonly dataKeyCount?: number;
}

/** Encrypts a file, the same way each time but for the keys of its reader and writer. */
export function encryptFile(plaintext: Uint8Array, { editList, dataKeyCount = 1 }: EncryptedInput = {}): Uint8Array {
  const dataKeys = Array.from({ length: dataKeyCount }, (_, index) => new DataKey(new Uint8Array(32).fill(index + 1)));
  const nonceOf = (index: number): Uint8Array => {
    const nonce = new Uint8Array(NONCE_BYTES);
    new DataView(nonce.buffer).setUint32(0, index);
    return nonce;
  };
  const recipients = [reader.publicKey];
  const parts = [writeHeader({ recipients, dataKeys, editList, writerSecretKey: writer.secretKey, nonceOf })];
  for (let at = 0, index = 0; at < plaintext.length; at += SEGMENT_BYTES, index++) {
    const dataKey = dataKeys[index % dataKeyCount];
    if (dataKey !== undefined)
      parts.push(encryptSegment(plaintext.slice(at, at + SEGMENT_BYTES), dataKey, nonceOf(index)));
  }
  return concatBytes(parts);
}

/** Divides an encrypted file into its header and its segments. */
export function splitFile(file: Uint8Array, headerBytes: number): Uint8Array[] {
  const parts = [file.slice(0, headerBytes)];
  for (let at = headerBytes; at < file.length; at += STORED_SEGMENT_BYTES) {
    parts.push(file.slice(at, at + STORED_SEGMENT_BYTES));
  }
  return parts;
}

/** Applies an edit list as the specification describes it (§4.2). */
export function applyEditList(editList: readonly number[], input: Uint8Array): Uint8Array {
  if (editList.length === 0) return input;
  const lengths = [...editList];
  const output: Uint8Array[] = [];
  let at = 0;
  while (lengths.length > 0) {
    at += lengths.shift() ?? 0;
    const kept = lengths.shift() ?? input.length - at;
    output.push(input.slice(at, at + kept));
    at += kept;
  }
  return concatBytes(output);
}
