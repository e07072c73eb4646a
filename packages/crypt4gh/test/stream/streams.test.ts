import { decryptStream, encryptStream, generateKeyPair } from '@htskit/crypt4gh';
import { plainSize, SEGMENT_BYTES, STORED_SEGMENT_BYTES } from '@htskit/crypt4gh/internal';
import { concatBytes } from '@htskit/io';
import { failureCode } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHeader } from '../../src/header/crypt4gh-header.js';
import { applyEditList, encryptFile, noise, reader, splitFile } from '../encrypt-file.js';

const keys = [reader.secretKey];
const recipients = [reader.publicKey];

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

const SIZES = [0, 1, SEGMENT_BYTES - 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 3 * SEGMENT_BYTES, 200_001];

test.each(SIZES)('%i bytes are encrypted and decrypted in any chunks', async (size) => {
  const plaintext = noise(size);
  for (const chunkBytes of [997, SEGMENT_BYTES, 1_000_000]) {
    const file = await collect(encryptStream(chunked(plaintext, chunkBytes), { recipients }));
    expect(plainSize(file.length - 124)).toBe(size);
    expect((await collect(decryptStream(chunked(file, chunkBytes), { keys }))).equals(plaintext)).toBe(true);
  }
});

test('the nonces of a file differ, and so do its data keys from those of other files', async () => {
  const encrypt = () => collect(encryptStream(chunked(noise(5 * SEGMENT_BYTES), 50_000), { recipients }));
  const files = [await encrypt(), await encrypt()];
  for (const file of files) {
    const nonces = splitFile(file, 124)
      .slice(1)
      .map((segment) => segment.subarray(0, 12).join());
    expect(new Set(nonces).size).toBe(5);
  }
  const [one, other] = files.map((file) => parseHeader(file, keys).dataKeys[0]);
  expect(other !== undefined && one?.equals(other)).toBe(false);
});

test('a stream with an edit list yields what the list keeps', async () => {
  const plaintext = noise(3 * SEGMENT_BYTES + 99);
  const lengths = fc.array(fc.nat({ max: 2 * SEGMENT_BYTES }), { maxLength: 7 });
  const within = lengths.filter((list) => list.reduce((sum, length) => sum + length, 0) <= plaintext.length);
  await fc.assert(
    fc.asyncProperty(within, fc.integer({ min: 1000, max: 300_000 }), async (editList, size) => {
      const file = await collect(encryptStream(chunked(plaintext, size), { recipients, editList }));
      const decrypted = await collect(decryptStream(chunked(file, size), { keys }));
      expect(decrypted.equals(applyEditList(editList, plaintext))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('many kept ranges within one segment are one chunk', async () => {
  const editList = Array.from({ length: 2000 }, () => 3);
  const file = encryptFile(noise(SEGMENT_BYTES), { editList });
  const chunks: Uint8Array[] = [];
  for await (const chunk of decryptStream(chunked(file, 65_536), { keys })) chunks.push(chunk);
  expect(chunks.map(({ length }) => length)).toEqual([3000]);
});

test('an invalid recipient fails before any data is read', async () => {
  let isRead = false;
  async function* watched(): AsyncGenerator<Uint8Array, void> {
    isRead = true;
    yield new Uint8Array(1);
  }
  const code = await failureCode(() => collect(encryptStream(watched(), { recipients: [new Uint8Array(32)] })));
  expect([code, isRead]).toEqual(['INVALID_KEY', false]);
});

test('a consumer that stops ends the stream that is decrypted', async () => {
  let hasEnded = false;
  async function* watched(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* chunked(encryptFile(noise(300_000)), 50_000);
    } finally {
      hasEnded = true;
    }
  }
  for await (const chunk of decryptStream(watched(), { keys })) if (chunk.length > 0) break;
  expect(hasEnded).toBe(true);
});

describe('damage', () => {
  const plaintext = noise(3 * SEGMENT_BYTES + 1000);
  const file = encryptFile(plaintext);
  const [header = file, first = file, second = file, third = file, last = file] = splitFile(file, 124);

  /** Returns the error of decrypting, and checks that what came before it is the start of the plaintext. */
  async function decrypt(bytes: Uint8Array): Promise<unknown> {
    const parts: Uint8Array[] = [];
    const code = await failureCode(async () => {
      for await (const chunk of decryptStream(chunked(bytes, 40_000), { keys })) parts.push(chunk);
    });
    const decrypted = Buffer.concat(parts);
    expect(decrypted.equals(plaintext.subarray(0, decrypted.length))).toBe(true);
    return code;
  }

  test.each([
    ['nothing', new Uint8Array(), 'TRUNCATED'],
    ['half of the header', header.slice(0, 60), 'TRUNCATED'],
    ['a segment without its MAC', concatBytes([header, first, second.slice(0, -16)]), 'AUTHENTICATION_FAILED'],
    ['27 bytes of a segment', concatBytes([header, first, second.slice(0, 27)]), 'TRUNCATED'],
    ['another byte at the end', concatBytes([file, new Uint8Array(1)]), 'AUTHENTICATION_FAILED'],
    ['a short segment before others', concatBytes([header, first, last, second, third]), 'AUTHENTICATION_FAILED'],
    ['another file', noise(100), 'INVALID_HEADER'],
  ])('%s fails', async (_, bytes, code) => {
    expect(await decrypt(bytes)).toBe(code);
  });

  test('a flipped bit anywhere in the segments fails', async () => {
    for (let at = 124; at < file.length; at += 9973) {
      const flipped = file.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 4;
      expect(await decrypt(flipped)).toBe('AUTHENTICATION_FAILED');
    }
  });

  test.each([[[5, 3 * SEGMENT_BYTES + 996]], [[3 * SEGMENT_BYTES + 1001]], [[1, 2, 3 * SEGMENT_BYTES + 1000, 1]]])(
    'the edit list %j refers to missing segments',
    async (editList) => {
      const edited = encryptFile(plaintext, { editList });
      const code = await failureCode(() => collect(decryptStream(chunked(edited, 40_000), { keys })));
      expect(code).toBe('TRUNCATED');
    },
  );

  test('another key opens nothing', async () => {
    const decrypted = decryptStream(chunked(file, 1000), { keys: [generateKeyPair().secretKey] });
    expect(await failureCode(() => collect(decrypted))).toBe('NO_KEY_FITS');
  });

  test('the format does not show that segments were exchanged, repeated or removed at the end', async () => {
    for (const parts of [[second, first], [first, first], [first]]) {
      const decrypted = await collect(
        decryptStream(chunked(concatBytes([header, ...parts]), STORED_SEGMENT_BYTES), { keys }),
      );
      expect(decrypted).toHaveLength(parts.length * SEGMENT_BYTES);
    }
  });
});
