import { generateKeyPair, SecretKey } from '@htskit/crypt4gh';
import { DataKey, decryptSegment, generateDataKey, writeHeader } from '@htskit/crypt4gh/internal';
import { concatBytes, fromBase64 } from '@htskit/io';
import { expect, test } from 'vitest';
import { parseHeader } from '../../src/header/crypt4gh-header.js';
import { joinPackets } from '../../src/header/header-layout.js';
import { randomNonce } from '../../src/segments/segment.js';
import { SECRET_KEY_BYTES } from '../keys/key-files.js';
import { words, writePackets } from './write-packets.js';

const { secretKey, publicKey } = generateKeyPair();
const dataKey = generateDataKey();
const payload = words([0, 0], dataKey.expose());
const writer = { writerSecretKey: generateKeyPair().secretKey, nonceOf: randomNonce };

/** A file that PyPI's crypt4gh 1.8.6 encrypted for the secret key of the key files. */
const FOREIGN_FILE = fromBase64(
  'Y3J5cHQ0Z2gBAAAAAQAAAGwAAAAAAAAAWGmv9FBUlzLLqu1eXfmzCm2jHLDldCutWtShp2jxpnuLOuiICO/eEFOeNNbsoLwQ9i1P/8qwRtCcqjmeqEc+WjOm' +
    'q3hZ2xm67NvOFbcVDfdE4oCL8VLCNRZOmkGhaCyDtyzlN4JoJp+hO4sBwbrs4sB2naJvWq6TkGA/iSrb1N8ezNwOTFiyCx/5nQi8UNip2Seyn1fIAW3mbo+/' +
    '+CoVrYJYb5KD3+c=',
);

/** Returns the header with a 32-bit word replaced. */
function withWord(header: Uint8Array, at: number, value: number): Uint8Array {
  const changed = header.slice();
  new DataView(changed.buffer).setUint32(at, value, true);
  return changed;
}

test('reads a file of another program', () => {
  const header = parseHeader(FOREIGN_FILE, [new SecretKey(SECRET_KEY_BYTES)]);
  expect(header).toMatchObject({ byteLength: 124, editList: undefined });
  const [key = dataKey] = header.dataKeys;
  const text = decryptSegment(FOREIGN_FILE.subarray(header.byteLength), key);
  expect(new TextDecoder().decode(text)).toBe('A file that another program encrypted.\n');
});

test('reads several data keys and an edit list, as each of several readers', () => {
  const readers = [generateKeyPair(), generateKeyPair()];
  const dataKeys = [generateDataKey(), generateDataKey()];
  const editList = [1, 2 ** 40, 0, 5];
  const recipients = readers.map((reader) => reader.publicKey);
  const bytes = writeHeader({ recipients, dataKeys, editList, ...writer });
  for (const reader of readers) {
    const header = parseHeader(concatBytes([bytes, new Uint8Array(9)]), [secretKey, reader.secretKey]);
    expect(header.byteLength).toBe(bytes.length);
    expect(header.editList).toEqual(editList);
    expect(header.dataKeys.map((key) => key.expose())).toEqual(dataKeys.map((key) => key.expose()));
    expect(header.unopened).toHaveLength(3);
  }
  const both = parseHeader(
    bytes,
    readers.map((reader) => reader.secretKey),
  );
  expect(both.dataKeys).toHaveLength(2);
  expect(both.editList).toEqual(editList);
});

test('ignores padding, packets of unknown types and methods, and packets that are too short', () => {
  const padded = concatBytes([payload, new Uint8Array(100)]);
  const other = words([7, 1, 2, 3]);
  const header = writePackets([padded, other], secretKey);
  const strangers = [words([8, 0]), words([20, 5], new Uint8Array(12)), words([9, 0], new Uint8Array(1))];
  const packets = [...strangers, header.subarray(16)];
  const bytes = joinPackets(packets);
  const opened = parseHeader(withWord(bytes, 12, 5), [secretKey]);
  expect(opened.dataKeys).toHaveLength(1);
  expect(opened.dataKeys[0]?.equals(dataKey)).toBe(true);
  expect(opened.otherPayloads).toEqual([other]);
  expect(opened.unopened).toEqual(strangers);
});

test('ignores a packet whose writer has a public key of low order', () => {
  const header = writePackets([payload, payload], secretKey);
  header.fill(0, 24, 56);
  expect(parseHeader(header, [secretKey]).dataKeys).toHaveLength(1);
});

test('a header is the same bytes for the same keys and nonces', () => {
  const input = { recipients: [publicKey], dataKeys: [dataKey], writerSecretKey: writer.writerSecretKey };
  const nonceOf = (index: number) => new Uint8Array(12).fill(index);
  expect(writeHeader({ ...input, nonceOf })).toEqual(writeHeader({ ...input, nonceOf }));
});

test.each([
  ['no key', []],
  ['another key', [generateKeyPair().secretKey]],
])('with %s no key fits', (_, keys) => {
  const header = writePackets([payload], secretKey);
  expect(() => parseHeader(header, keys)).toThrow(expect.objectContaining({ code: 'NO_KEY_FITS' }));
});

const header = writePackets([payload], secretKey);
const edits = (...lengths: number[]) => words([1, lengths.length, ...lengths.flatMap((length) => [length, 0])]);

test.each([
  ['nothing', new Uint8Array(), 'TRUNCATED'],
  ['the first 15 bytes', header.subarray(0, 15), 'TRUNCATED'],
  ['all but the last byte', header.subarray(0, -1), 'TRUNCATED'],
  ['another magic', Uint8Array.of(...header).fill(0x43, 0, 1), 'INVALID_HEADER'],
  ['another version', withWord(header, 8, 2), 'UNSUPPORTED'],
  ['1,025 packets', withWord(header, 12, 1025), 'LIMIT_EXCEEDED'],
  ['4 billion packets', withWord(header, 12, 0xffff_ffff), 'LIMIT_EXCEEDED'],
  ['a packet shorter than its length and method', withWord(header, 16, 7), 'INVALID_HEADER'],
  ['a packet of 4 GiB', withWord(header, 16, 0xffff_ffff), 'LIMIT_EXCEEDED'],
  ['an altered packet', withWord(header, 70, 1), 'NO_KEY_FITS'],
  ['an empty packet', writePackets([new Uint8Array()], secretKey), 'INVALID_HEADER'],
  ['half of a data key', writePackets([payload.subarray(0, 24)], secretKey), 'INVALID_HEADER'],
  ['a data key without method', writePackets([words([0])], secretKey), 'INVALID_HEADER'],
  ['an unknown method of segments', writePackets([words([0, 1], dataKey.expose())], secretKey), 'UNSUPPORTED'],
  ['an edit list without count', writePackets([payload, words([1])], secretKey), 'INVALID_HEADER'],
  ['an edit list of 4 billion lengths', writePackets([payload, words([1, 0xffff_ffff])], secretKey), 'INVALID_HEADER'],
  ['a length after 2^53', writePackets([payload, words([1, 1, 0, 2 ** 21])], secretKey), 'INVALID_HEADER'],
  ['two edit lists', writePackets([payload, edits(1, 2), edits(1, 3)], secretKey), 'INVALID_HEADER'],
  ['no packet', words([...new Uint32Array(header.slice(0, 12).buffer), 0]), 'NO_KEY_FITS'],
])('rejects %s', (_, bytes, code) => {
  expect(() => parseHeader(bytes, [secretKey])).toThrow(expect.objectContaining({ name: 'Crypt4ghError', code }));
});

test('rejects more than 256 data keys', () => {
  const payloads = Array.from({ length: 257 }, (_, index) => words([0, 0], new Uint8Array(32).fill(1, index >> 3)));
  for (const [index, bytes] of payloads.entries()) bytes[8] = index & 255;
  const distinct = payloads.map((bytes, index) => bytes.with(9, index >> 8));
  expect(parseHeader(writePackets(distinct.slice(0, 256), secretKey), [secretKey]).dataKeys).toHaveLength(256);
  const parse = () => parseHeader(writePackets(distinct, secretKey), [secretKey]);
  expect(parse).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
});

test.each([
  ['no recipient', { recipients: [] }, 'INVALID_ARGUMENT'],
  ['no data key', { dataKeys: [] }, 'INVALID_ARGUMENT'],
  ['a public key of 31 bytes', { recipients: [publicKey.slice(1)] }, 'INVALID_KEY'],
  ['a public key of low order', { recipients: [new Uint8Array(32)] }, 'INVALID_KEY'],
  ['a fractional edit list', { editList: [0.5] }, 'INVALID_ARGUMENT'],
  ['a negative edit list', { editList: [-1, 2] }, 'INVALID_ARGUMENT'],
  ['an edit list beyond 2^53', { editList: [2 ** 52, 2 ** 52] }, 'INVALID_ARGUMENT'],
  ['an edit list of 8 MiB', { editList: Array.from({ length: 2 ** 20 }, () => 1) }, 'LIMIT_EXCEEDED'],
  ['a nonce of 11 bytes', { nonceOf: () => new Uint8Array(11) }, 'INVALID_ARGUMENT'],
])('writes no header with %s', (_, changed, code) => {
  const write = () =>
    writeHeader({ recipients: [publicKey], dataKeys: [new DataKey(SECRET_KEY_BYTES)], ...writer, ...changed });
  expect(write).toThrow(expect.objectContaining({ name: 'Crypt4ghError', code }));
});
