import {
  DataKey,
  decryptSegment,
  encryptSegment,
  generateDataKey,
  NONCE_BYTES,
  plainSize,
  SEGMENT_BYTES,
  STORED_SEGMENT_BYTES,
  storedSize,
} from '@htskit/crypt4gh/internal';
import { expect, test } from 'vitest';
import { SegmentDecryptor } from '../../src/segments/segment.js';

const dataKey = generateDataKey();
const nonce = new Uint8Array(NONCE_BYTES).fill(3);

test.each([0, 1, 1000, SEGMENT_BYTES])('a segment of %i bytes is decrypted to what was encrypted', (byteLength) => {
  const plaintext = Uint8Array.from({ length: byteLength }, (_, at) => at % 251);
  const segment = encryptSegment(plaintext, dataKey, nonce);
  expect(segment).toHaveLength(byteLength + 28);
  expect(segment.subarray(0, NONCE_BYTES)).toEqual(nonce);
  expect(Buffer.from(decryptSegment(segment, dataKey) ?? []).equals(plaintext)).toBe(true);
  expect(decryptSegment(segment, generateDataKey())).toBeUndefined();
});

test('rejects a segment that is too long, and a nonce of another length', () => {
  const encrypt = () => encryptSegment(new Uint8Array(SEGMENT_BYTES + 1), dataKey, nonce);
  expect(encrypt).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  const short = () => encryptSegment(new Uint8Array(1), dataKey, nonce.slice(1));
  expect(short).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});

test.each([
  [0, 0],
  [28, 0],
  [29, 1],
  [STORED_SEGMENT_BYTES, SEGMENT_BYTES],
  [STORED_SEGMENT_BYTES + 29, SEGMENT_BYTES + 1],
  [3 * STORED_SEGMENT_BYTES, 3 * SEGMENT_BYTES],
])('%i stored bytes hold %i', (stored, plain) => {
  expect(plainSize(stored)).toBe(plain);
  // An empty segment at the end is read, and not written.
  expect(storedSize(plain)).toBe(stored === 28 ? 0 : stored);
});

test.each([1, 27, STORED_SEGMENT_BYTES + 1, 2 * STORED_SEGMENT_BYTES + 27])('%i stored bytes are cut', (stored) => {
  expect(() => plainSize(stored)).toThrow(expect.objectContaining({ code: 'TRUNCATED' }));
});

test('segments of several data keys are decrypted, and those of others refused', () => {
  const keys = Array.from({ length: 5 }, () => generateDataKey());
  const decryptor = new SegmentDecryptor(keys);
  for (const [index, key] of [...keys, ...keys].entries()) {
    expect(decryptor.decrypt(encryptSegment(Uint8Array.of(index), key, nonce), 0)).toEqual(Uint8Array.of(index));
  }
  const foreign = encryptSegment(Uint8Array.of(1), new DataKey(new Uint8Array(32)), nonce);
  const expected = { code: 'AUTHENTICATION_FAILED', offset: 77 };
  expect(() => decryptor.decrypt(foreign, 77)).toThrow(expect.objectContaining(expected));
  const cut = { code: 'TRUNCATED', offset: 99 };
  expect(() => decryptor.decrypt(foreign.subarray(0, 27), 99)).toThrow(expect.objectContaining(cut));
});
