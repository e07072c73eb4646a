import { generateKeyPair, reencryptHeader } from '@htskit/crypt4gh';
import { generateDataKey, writeHeader } from '@htskit/crypt4gh/internal';
import { concatBytes } from '@htskit/io';
import { expect, test } from 'vitest';
import { parseHeader } from '../../src/header/crypt4gh-header.js';
import { randomNonce } from '../../src/segments/segment.js';
import { words, writePackets } from './write-packets.js';

const [alice, bob, carol] = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
const dataKey = generateDataKey();
const recipients = [alice.publicKey, carol.publicKey];
const writer = { writerSecretKey: generateKeyPair().secretKey, nonceOf: randomNonce };
const original = writeHeader({ recipients, dataKeys: [dataKey], editList: [3, 4], ...writer });

test('the new reader opens the header, and the ones before do not', () => {
  const header = reencryptHeader(concatBytes([original, new Uint8Array(70)]), {
    keys: [alice.secretKey],
    recipients: [bob.publicKey],
  });
  const opened = parseHeader(header, [bob.secretKey]);
  expect(opened).toMatchObject({ editList: [3, 4], byteLength: header.length, unopened: [] });
  expect(opened.dataKeys[0]?.equals(dataKey)).toBe(true);
  for (const { secretKey } of [alice, carol]) {
    expect(() => parseHeader(header, [secretKey])).toThrow(expect.objectContaining({ code: 'NO_KEY_FITS' }));
  }
});

test('other readers keep their access on request', () => {
  const options = { keys: [alice.secretKey], recipients: [bob.publicKey], keepsOtherReaders: true };
  const header = reencryptHeader(original, options);
  expect(parseHeader(header, [carol.secretKey]).dataKeys).toHaveLength(1);
  expect(() => parseHeader(header, [alice.secretKey])).toThrow(expect.objectContaining({ code: 'NO_KEY_FITS' }));
});

test('a new edit list replaces the one before', () => {
  const options = { keys: [alice.secretKey], recipients: [bob.publicKey] };
  expect(parseHeader(reencryptHeader(original, { ...options, editList: [9] }), [bob.secretKey]).editList).toEqual([9]);
});

test('packets of unknown types are encrypted for the new reader', () => {
  const other = words([9, 1, 2]);
  const header = writePackets([words([0, 0], dataKey.expose()), other], alice.secretKey);
  const reencrypted = reencryptHeader(header, { keys: [alice.secretKey], recipients: [bob.publicKey] });
  expect(parseHeader(reencrypted, [bob.secretKey]).otherPayloads).toEqual([other]);
});

test('fails without a key that fits', () => {
  const reencrypt = () => reencryptHeader(original, { keys: [bob.secretKey], recipients: [bob.publicKey] });
  expect(reencrypt).toThrow(expect.objectContaining({ code: 'NO_KEY_FITS' }));
});
