import { Crypt4ghError, decryptingSource, decryptStream } from '@htskit/crypt4gh';
import { concatBytes, StorageError } from '@htskit/io';
import { checkMutations, type MutationOutcomes } from '@htskit/testing';
import { joinPackets } from '../src/header/header-layout.js';
import { sealPacket } from '../src/header/header-packet.js';
import { generateKeyPair } from '../src/keys/secret-key.js';
import { DataKey, randomNonce } from '../src/segments/segment.js';
import { applyEditList, encryptFile, noise, reader } from './encrypt-file.js';
import { words } from './header/write-packets.js';
import { storedSource } from './stored-source.js';

const keys = [reader.secretKey];
const plaintext = noise(400);
const editList = [3, 50, 7, 100];
const file = encryptFile(plaintext, { editList, dataKeyCount: 2 });
/**
 * A packet that does not authenticate is ignored, as one for another reader: without its edit list, a file is all of its data. A file
 * without segments is empty.
 */
const allowed = [applyEditList(editList, plaintext), plaintext, new Uint8Array()].map((bytes) =>
  Buffer.from(bytes).toString('hex'),
);

/**
 * Decrypts damaged copies of a file at random or as a stream. Throws unless each is refused with a typed error or decrypted to
 * bytes that were encrypted.
 */
export function checkMutatedFiles(count: number): Promise<MutationOutcomes> {
  return checkMutations(file, {
    seed: 11,
    count,
    check: async (bytes, index) => {
      const decrypted = await decrypt(bytes, index % 2 === 0);
      if (decrypted === undefined) return false;
      const found = Buffer.from(decrypted).toString('hex');
      if (!allowed.includes(found)) throw new Error(`decrypted to ${found}`);
      return true;
    },
  });
}

/**
 * Decrypts files whose header packets authenticate and hold damaged payloads, as a writer can make them who means harm. Throws unless
 * each is refused with a typed error or decrypted to parts of what was encrypted.
 */
export function checkMutatedPayloads(count: number): Promise<MutationOutcomes> {
  const dataKey = new DataKey(new Uint8Array(32).fill(1));
  const segments = encryptFile(plaintext).subarray(124);
  const secretKey = generateKeyPair().secretKey;
  const edits = words([1, editList.length, ...editList.flatMap((length) => [length, 0])]);
  const seal = (payload: Uint8Array) =>
    sealPacket({ payload, writer: secretKey, recipient: reader.publicKey, nonce: randomNonce() });
  const keyPacket = seal(words([0, 0], dataKey.expose()));
  return checkMutations(edits, {
    seed: 12,
    count,
    check: async (payload, index) => {
      const header = joinPackets([keyPacket, seal(payload)]);
      const decrypted = await decrypt(concatBytes([header, segments]), index % 2 === 0);
      if (decrypted !== undefined && decrypted.length > plaintext.length) throw new Error('bytes were added');
      return decrypted !== undefined;
    },
  });
}

/** Returns what a file is decrypted to, or undefined if it is refused with a typed error. */
async function decrypt(bytes: Uint8Array, isStream: boolean): Promise<Uint8Array | undefined> {
  try {
    if (!isStream) {
      const source = decryptingSource(storedSource(bytes), { keys });
      return await source.read({ start: 0, end: (await source.stat()).size });
    }
    const parts: Uint8Array[] = [];
    const chunks = async function* (): AsyncGenerator<Uint8Array, void> {
      for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
    };
    for await (const part of decryptStream(chunks(), { keys })) parts.push(part);
    return concatBytes(parts);
  } catch (error) {
    if (error instanceof Crypt4ghError || error instanceof StorageError) return undefined;
    throw error;
  }
}
