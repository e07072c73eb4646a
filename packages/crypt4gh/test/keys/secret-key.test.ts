import { inspect } from 'node:util';
import { generateKeyPair, publicKeyOf, SecretKey } from '@htskit/crypt4gh';
import { toBase64, toHex } from '@htskit/io';
import { expect, test } from 'vitest';
import { deriveSharedKey } from '../../src/keys/secret-key.js';

test('generates another key pair each time', () => {
  const [first, second] = [generateKeyPair(), generateKeyPair()];
  expect(first.publicKey).not.toEqual(second.publicKey);
  expect(publicKeyOf(first.secretKey)).toEqual(first.publicKey);
});

test('no way of printing shows the bytes of a secret key', () => {
  const bytes = new Uint8Array(32).fill(0xab);
  const secretKey = new SecretKey(bytes);
  const printed = [
    String(secretKey),
    JSON.stringify({ secretKey }),
    inspect({ secretKey }, { showHidden: true, depth: 9 }),
  ];
  expect(printed.slice(0, 2)).toEqual(['[secret]', '{"secretKey":"[secret]"}']);
  for (const text of printed) {
    expect(text).not.toContain('171');
    expect(text).not.toContain(toHex(bytes).slice(0, 8));
    expect(text).not.toContain(toBase64(bytes).slice(0, 8));
  }
});

test('a cleared key is zeroed and cannot be used', () => {
  const bytes = new Uint8Array(32).fill(1);
  const secretKey = new SecretKey(bytes);
  const exposed = secretKey.expose();
  secretKey.clear();
  expect(exposed).toEqual(new Uint8Array(32));
  expect(bytes).toEqual(new Uint8Array(32).fill(1));
  expect(() => secretKey.expose()).toThrow(expect.objectContaining({ code: 'INVALID_KEY' }));
});

test.each([0, 31, 33])('rejects a secret key of %i bytes', (byteLength) => {
  expect(() => new SecretKey(new Uint8Array(byteLength))).toThrow(expect.objectContaining({ code: 'INVALID_KEY' }));
});

test('reader and writer derive the same key, and another reader does not', () => {
  const [reader, writer, other] = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
  const sides = { reader: reader.publicKey, writer: writer.publicKey };
  const written = deriveSharedKey({ ...sides, secretKey: writer.secretKey });
  expect(deriveSharedKey({ ...sides, secretKey: reader.secretKey }).equals(written)).toBe(true);
  const mistaken = deriveSharedKey({ ...sides, reader: other.publicKey, secretKey: other.secretKey });
  expect(mistaken.equals(written)).toBe(false);
});

test('refuses a public key of low order', () => {
  const { secretKey, publicKey } = generateKeyPair();
  const derive = () => deriveSharedKey({ secretKey, reader: new Uint8Array(32), writer: publicKey });
  expect(derive).toThrow(expect.objectContaining({ code: 'INVALID_KEY' }));
});
