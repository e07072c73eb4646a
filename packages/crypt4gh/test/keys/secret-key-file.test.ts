import { formatSecretKey, parseSecretKey, SecretKey } from '@htskit/crypt4gh';
import { fromBase64, toBase64, toHex } from '@htskit/io';
import { expect, test } from 'vitest';
import { PASSPHRASE, PUBLIC_KEY_HEX, SECRET_KEY_BYTES, SECRET_KEY_FILES, toSecretPem } from './key-files.js';

const passphrase = PASSPHRASE;
const scryptPem = toSecretPem(SECRET_KEY_FILES.scrypt);

test.each(Object.entries(SECRET_KEY_FILES))('reads a secret key that is protected by %s', async (_, base64) => {
  const key = await parseSecretKey(toSecretPem(base64), { passphrase });
  expect(toHex(key.publicKey)).toBe(PUBLIC_KEY_HEX);
});

test.each([
  ['raw bytes', SECRET_KEY_BYTES],
  ['Base64', toBase64(SECRET_KEY_BYTES)],
  ['Base64 with a line feed, as bytes', new TextEncoder().encode(`${toBase64(SECRET_KEY_BYTES)}\n`)],
  ['a PEM file', toSecretPem(SECRET_KEY_FILES.none)],
  [
    'a PEM file as bytes, with CR LF',
    new TextEncoder().encode(toSecretPem(SECRET_KEY_FILES.none).replaceAll('\n', '\r\n')),
  ],
  ['a PEM file with wrapped lines', toSecretPem(SECRET_KEY_FILES.none.replaceAll(/.{20}/g, '$&\n'))],
  ['a PEM file of an "encrypted" key', toSecretPem(SECRET_KEY_FILES.none, 'CRYPT4GH ENCRYPTED PRIVATE KEY')],
  ['Base64 of a PEM file', toBase64(new TextEncoder().encode(toSecretPem(SECRET_KEY_FILES.none)))],
])('reads a secret key from %s', async (_, input) => {
  expect(toHex((await parseSecretKey(input)).publicKey)).toBe(PUBLIC_KEY_HEX);
  expect(SECRET_KEY_BYTES[0]).toBe(1);
});

test('calls the function that asks for the passphrase only if there is one', async () => {
  const asked: string[] = [];
  const ask = (): string => {
    asked.push('asked');
    return passphrase;
  };
  await parseSecretKey(toSecretPem(SECRET_KEY_FILES.none), { passphrase: ask });
  expect(asked).toEqual([]);
  await parseSecretKey(scryptPem, { passphrase: ask });
  expect(asked).toEqual(['asked']);
});

test('a written key is read back, with and without a passphrase and a comment', async () => {
  const key = new SecretKey(SECRET_KEY_BYTES);
  const plain = await formatSecretKey(key);
  expect(plain).toBe(toSecretPem(SECRET_KEY_FILES.none));
  const encrypted = await formatSecretKey(key, { passphrase: 'correct horse ☃', comment: 'of Alice' });
  expect((await parseSecretKey(encrypted, { passphrase: 'correct horse ☃' })).equals(key)).toBe(true);
  const body = fromBase64(encrypted.split('\n')[1] ?? '');
  expect(toHex(body)).not.toContain(toHex(SECRET_KEY_BYTES).slice(0, 16));
  expect(new TextDecoder().decode(body)).toContain('of Alice');
});

test.each([
  ['no passphrase', undefined],
  ['a wrong one', 'passphrasE'],
  ['an empty one', ''],
])('rejects an encrypted key with %s', async (_, wrong) => {
  await expect(parseSecretKey(scryptPem, { passphrase: wrong })).rejects.toMatchObject({ code: 'WRONG_PASSPHRASE' });
});

const bytesOf = (base64: string): Uint8Array => fromBase64(base64);
const replaced = (base64: string, from: string, to: string): string => {
  const text = String.fromCharCode(...bytesOf(base64));
  return toSecretPem(btoa(text.replace(from, to)));
};

test.each([
  ['nothing', '', 'INVALID_KEY'],
  ['other text', 'not a key', 'INVALID_KEY'],
  ['a cut PEM file', scryptPem.slice(0, -10), 'INVALID_KEY'],
  ['a PEM file without content', toSecretPem(''), 'INVALID_KEY'],
  ['a PEM file of a public key', toSecretPem(toBase64(SECRET_KEY_BYTES), 'CRYPT4GH PUBLIC KEY'), 'INVALID_KEY'],
  ['a PEM file of RSA', toSecretPem(SECRET_KEY_FILES.none, 'RSA PRIVATE KEY'), 'INVALID_KEY'],
  ['a key of OpenSSH', toSecretPem(SECRET_KEY_FILES.none, 'OPENSSH PRIVATE KEY'), 'UNSUPPORTED'],
  ['31 bytes', SECRET_KEY_BYTES.slice(1), 'INVALID_KEY'],
  ['a large file', 'A'.repeat(65_537), 'INVALID_KEY'],
  ['another magic', replaced(SECRET_KEY_FILES.none, 'c4gh-v1', 'c4gh-v2'), 'INVALID_KEY'],
  ['an unknown function', replaced(SECRET_KEY_FILES.scrypt, 'scrypt', 'argon2'), 'UNSUPPORTED'],
  ['an unknown cipher', replaced(SECRET_KEY_FILES.scrypt, 'chacha20', 'aes-2560'), 'UNSUPPORTED'],
  ['absurd rounds', replaced(SECRET_KEY_FILES.bcrypt, '\0\0\0\x04', '\xff\0\0\x04'), 'LIMIT_EXCEEDED'],
  ['no rounds', replaced(SECRET_KEY_FILES.bcrypt, '\0\0\0\x04', '\0\0\0\0'), 'LIMIT_EXCEEDED'],
  ['a field longer than the file', replaced(SECRET_KEY_FILES.none, '\0\x20', '\xff\x20'), 'INVALID_KEY'],
])('rejects %s', async (_, input, code) => {
  await expect(parseSecretKey(input, { passphrase })).rejects.toMatchObject({ name: 'Crypt4ghError', code });
});
