import { decryptingSource, decryptStream, generateKeyPair } from '@htskit/crypt4gh';
import { crypt4ghOf, SEGMENT_BYTES, STORED_SEGMENT_BYTES, selectRanges } from '@htskit/crypt4gh/internal';
import { type ByteRange, concatBytes } from '@htskit/io';
import { expect, test } from 'vitest';
import { parseHeader } from '../../src/header/crypt4gh-header.js';
import { applyEditList, encryptFile, noise, reader } from '../encrypt-file.js';
import { storedSource } from '../stored-source.js';

const bob = generateKeyPair();
const plaintext = noise(5 * SEGMENT_BYTES + 1234);
const editList = [10, 2 * SEGMENT_BYTES, 100, plaintext.length - 2 * SEGMENT_BYTES - 110];

async function select(file: Uint8Array, ranges: readonly ByteRange[]): Promise<Uint8Array> {
  const source = decryptingSource(storedSource(file), { keys: [reader.secretKey] });
  const opened = await crypt4ghOf(source)?.openFile();
  if (opened === undefined) throw new Error('not a decrypting source');
  const parts: Uint8Array[] = [];
  for await (const part of selectRanges(opened, { ranges, recipients: [bob.publicKey] })) parts.push(part);
  return concatBytes(parts);
}

test.each([
  [
    'ranges far apart',
    [
      { start: 5, end: 9 },
      { start: 3 * SEGMENT_BYTES, end: 3 * SEGMENT_BYTES + 5 },
    ],
    2,
  ],
  [
    'ranges in one segment',
    [
      { start: 5, end: 9 },
      { start: 9, end: 20 },
      { start: 30, end: 31 },
    ],
    1,
  ],
  [
    'ranges in the last segment',
    [
      { start: 5 * SEGMENT_BYTES, end: 5 * SEGMENT_BYTES + 2 },
      { start: 5 * SEGMENT_BYTES + 9, end: 1e9 },
    ],
    1,
  ],
  ['everything', [{ start: 0, end: 1e9 }], 6],
  ['nothing', [], 0],
])('%s are what the new reader decrypts', async (_, ranges, segments) => {
  for (const edits of [undefined, editList]) {
    const plain = applyEditList(edits ?? [], plaintext);
    const selected = await select(encryptFile(plaintext, { editList: edits }), ranges);
    const decrypted: Uint8Array[] = [];
    const chunks = async function* (): AsyncGenerator<Uint8Array, void> {
      yield selected;
    };
    for await (const chunk of decryptStream(chunks(), { keys: [bob.secretKey] })) decrypted.push(chunk);
    const expected = concatBytes(ranges.map(({ start, end }) => plain.slice(start, end)));
    expect(Buffer.concat(decrypted).equals(expected)).toBe(true);
    const { byteLength } = parseHeader(selected, [bob.secretKey]);
    expect(Math.ceil((selected.length - byteLength) / STORED_SEGMENT_BYTES)).toBe(segments);
  }
});
