import { formatPublicKey, parsePublicKey } from '@htskit/crypt4gh';
import { fromHex, toBase64, toBase64Url } from '@htskit/io';
import { expect, test } from 'vitest';
import { PUBLIC_KEY_HEX, SECRET_KEY_FILES, toSecretPem } from './key-files.js';

const key = fromHex(PUBLIC_KEY_HEX);
const pem =
  '-----BEGIN CRYPT4GH PUBLIC KEY-----\nB6N8vBQgk8i3VdwbEOhstCY3StFqqFPtC9/AsrhtHHw=\n-----END CRYPT4GH PUBLIC KEY-----\n';

test('writes the PEM file that other programs write', () => {
  expect(formatPublicKey(key)).toBe(pem);
});

test.each([
  ['raw bytes', key],
  ['Base64', toBase64(key)],
  ['Base64 without padding', toBase64(key).replace('=', '')],
  ['Base64url', toBase64Url(key)],
  ['a PEM file', pem],
  ['a PEM file as bytes', new TextEncoder().encode(pem)],
  ['Base64 of a PEM file', toBase64(new TextEncoder().encode(pem))],
])('reads a public key from %s', (_, input) => {
  expect(parsePublicKey(input)).toEqual(key);
});

test.each([
  ['31 bytes', key.slice(1), 'INVALID_KEY'],
  ['Base64 of 33 bytes', toBase64(new Uint8Array(33)), 'INVALID_KEY'],
  ['hexadecimal digits', PUBLIC_KEY_HEX, 'INVALID_KEY'],
  ['a secret key', toSecretPem(SECRET_KEY_FILES.none), 'INVALID_KEY'],
  ['a PEM file of 31 bytes', toSecretPem(toBase64(key.slice(1)), 'CRYPT4GH PUBLIC KEY'), 'INVALID_KEY'],
  ['nothing', '', 'INVALID_KEY'],
  ['a key of OpenSSH', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA alice', 'UNSUPPORTED'],
])('rejects %s', (_, input, code) => {
  expect(() => parsePublicKey(input)).toThrow(expect.objectContaining({ name: 'Crypt4ghError', code }));
});
