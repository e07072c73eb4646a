import { inflateBlocks } from '@htskit/bgzf';
import { decryptingSource, generateKeyPair, type KeyPair, SecretKey } from '@htskit/crypt4gh';
import { DataKey, encryptSegment, SEGMENT_BYTES, writeHeader } from '@htskit/crypt4gh/internal';
import { concatBytes, toBase64 } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import type { StoredFile } from '../../src/index.js';
import { fetchFile, type Handler } from '../read-ticket.js';

/** The keys of the client, and those of the service. */
export const CLIENT: KeyPair = generateKeyPair();
export const SERVICE: KeyPair = generateKeyPair();

/** The request of a client that wants its answer encrypted. */
export const ENCRYPTED_REQUEST: RequestInit = {
  headers: { 'Htsget-Context-Public-Key': toBase64(CLIENT.publicKey) },
};

/** Adds the parameter that requests encryption to a path. */
export function encrypted(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}encryptionScheme=crypt4gh`;
}

/** Returns a Crypt4GH file with this plaintext for the service, written with fixed keys. */
export function encryptFile(plaintext: Uint8Array): Uint8Array {
  const dataKey = new DataKey(new Uint8Array(32).fill(3));
  const header = writeHeader({
    recipients: [SERVICE.publicKey],
    dataKeys: [dataKey],
    writerSecretKey: new SecretKey(new Uint8Array(32).fill(5)),
    nonceOf: (index) => new Uint8Array(12).fill(index),
  });
  const segments: Uint8Array[] = [];
  for (let start = 0; start < plaintext.length; start += SEGMENT_BYTES) {
    const nonce = new Uint8Array(12);
    new DataView(nonce.buffer).setUint32(0, start / SEGMENT_BYTES, true);
    segments.push(encryptSegment(plaintext.subarray(start, start + SEGMENT_BYTES), dataKey, nonce));
  }
  return concatBytes([header, ...segments]);
}

/** Returns the same stored file, encrypted for the service. Its index stays plain. */
export function encryptedFile(file: StoredFile, plaintext: Uint8Array): StoredFile {
  const stored = memorySource(encryptFile(plaintext), { key: file.data.key, version: '1' });
  return { ...file, data: decryptingSource(stored, { keys: [SERVICE.secretKey] }), isEncrypted: true };
}

/** Returns the plaintext of a Crypt4GH file that the client received. */
export async function decrypt(bytes: Uint8Array, keys: readonly SecretKey[] = [CLIENT.secretKey]): Promise<Uint8Array> {
  const source = decryptingSource(memorySource(bytes, { key: 'answer' }), { keys });
  const { size } = await source.stat();
  return Uint8Array.from(await source.read({ start: 0, end: size }));
}

/** Requests an encrypted answer, and returns its plaintext. */
export async function fetchDecrypted(handler: Handler, path: string): Promise<Uint8Array> {
  return decrypt(await fetchFile(handler, encrypted(path), ENCRYPTED_REQUEST));
}

/** Returns the data of BGZF blocks, and other files as they are. */
export function contentOf(file: Uint8Array): Uint8Array {
  return file[0] === 0x1f ? inflateBlocks(file) : file;
}
