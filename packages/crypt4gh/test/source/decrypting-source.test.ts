import { decryptingSource, generateKeyPair } from '@htskit/crypt4gh';
import { crypt4ghOf, SEGMENT_BYTES, STORED_SEGMENT_BYTES } from '@htskit/crypt4gh/internal';
import { concatBytes, type ReadOptions, StorageError } from '@htskit/io';
import { byteSourceContract, failureCode } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEditList, encryptFile, noise, reader, splitFile } from '../encrypt-file.js';
import { storedSource } from '../stored-source.js';

const keys = [reader.secretKey];

function openMissing() {
  const source = storedSource(new Uint8Array());
  const fail = () => Promise.reject(new StorageError('NOT_FOUND', 'the object does not exist', { key: source.key }));
  return decryptingSource({ ...source, stat: fail, read: fail }, { keys });
}

byteSourceContract('decryptingSource', (bytes) => {
  const stored = storedSource(encryptFile(bytes));
  return {
    source: decryptingSource(stored, { keys }),
    missing: openMissing(),
    bytesRead: stored.bytesRead,
    replace: async (replacement) => stored.replace(encryptFile(replacement)),
  };
});

byteSourceContract(
  'decryptingSource with an edit list and three data keys',
  (bytes) => {
    // Three kept ranges that together are the object, with other bytes before, between and after them.
    const cuts = [0, Math.floor(bytes.length / 3), Math.floor(bytes.length / 2), bytes.length];
    const gaps = [100_001, 5, 200_000].map((length) => noise(length));
    const parts = gaps.flatMap((gap, index) => [gap, bytes.slice(cuts[index], cuts[index + 1])]);
    const editList = parts.map((part) => part.length);
    const stored = storedSource(encryptFile(concatBytes([...parts, noise(70_000)]), { editList, dataKeyCount: 3 }));
    return { source: decryptingSource(stored, { keys, readAhead: 0 }) };
  },
  { without: ['missing', 'replace', 'bytesRead'] },
);

const plaintext = noise(5 * SEGMENT_BYTES + 1234);

test('every range of a file with an edit list is the range of the edited plaintext', async () => {
  const lengths = fc.array(fc.nat({ max: 2 * SEGMENT_BYTES }), { maxLength: 9 });
  const within = lengths.filter((list) => list.reduce((sum, length) => sum + length, 0) <= plaintext.length);
  await fc.assert(
    fc.asyncProperty(within, fc.nat(plaintext.length), fc.nat(plaintext.length), async (editList, one, other) => {
      const source = decryptingSource(storedSource(encryptFile(plaintext, { editList })), { keys });
      const edited = applyEditList(editList, plaintext);
      const range = { start: Math.min(one, other), end: Math.max(one, other) };
      const expected = Buffer.from(edited.slice(range.start, range.end));
      expect((await source.stat()).size).toBe(edited.length);
      expect(expected.equals(await source.read(range))).toBe(true);
      expect(expected.equals(new Uint8Array(await new Response(source.stream(range)).arrayBuffer()))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('a read requests the header once, and then only the segments that it needs', async () => {
  const stored = storedSource(encryptFile(plaintext));
  const source = decryptingSource(stored, { keys });
  await source.read({ start: SEGMENT_BYTES - 1, end: SEGMENT_BYTES + 1 });
  await source.read({ start: 3 * SEGMENT_BYTES, end: 3 * SEGMENT_BYTES + 10 });
  const [header, ...segments] = stored.requests;
  expect(header).toEqual({ start: 0, end: 65_536 });
  expect(
    segments.map(({ start, end }) => [(start - 124) / STORED_SEGMENT_BYTES, (end - 124) / STORED_SEGMENT_BYTES]),
  ).toEqual([
    [0, 2],
    [3, 4],
  ]);
});

test('kept ranges that are far apart are read without what lies between them', async () => {
  const editList = [10, 20, 4 * SEGMENT_BYTES, 30];
  const stored = storedSource(encryptFile(plaintext, { editList }));
  const source = decryptingSource(stored, { keys });
  expect((await source.read({ start: 0, end: 50 })).length).toBe(50);
  const segmentRequests = stored.requests.slice(1).map(({ start, end }) => end - start);
  expect(segmentRequests).toEqual([STORED_SEGMENT_BYTES, STORED_SEGMENT_BYTES]);
});

test('concurrent reads open the header once', async () => {
  const stored = storedSource(encryptFile(plaintext));
  const source = decryptingSource(stored, { keys });
  await Promise.all([0, 1, 2].map((start) => source.read({ start, end: 10 })));
  expect(stored.requests.filter(({ start }) => start === 0)).toHaveLength(1);
});

test('a caller who gives up while the header is read does not disturb another one', async () => {
  const source = decryptingSource(storedSource(encryptFile(plaintext)), { keys });
  const controller = new AbortController();
  const aborted = source.read({ start: 0, end: 10 }, { signal: controller.signal });
  const other = source.read({ start: 0, end: 10 });
  controller.abort();
  expect(await failureCode(() => aborted)).toBe('ABORTED');
  expect(await other).toEqual(plaintext.slice(0, 10));
});

test('a header that could not be read is read again', async () => {
  const stored = storedSource(encryptFile(plaintext));
  const { read } = stored;
  let failures = 1;
  const flaky = {
    ...stored,
    read: (...parameters: Parameters<typeof read>) => {
      failures -= 1;
      if (failures < 0) return read(...parameters);
      return Promise.reject(new StorageError('UNAVAILABLE', 'the store is busy', { key: stored.key }));
    },
  };
  const source = decryptingSource(flaky, { keys });
  expect(await failureCode(() => source.stat())).toBe('UNAVAILABLE');
  expect((await source.stat()).size).toBe(plaintext.length);
});

test('another package finds the encrypted file that a source decrypts', async () => {
  const stored = storedSource(encryptFile(plaintext));
  const access = crypt4ghOf(decryptingSource(stored, { keys }));
  expect(access?.stored).toBe(stored);
  const file = await access?.openFile();
  expect(file?.header.byteLength).toBe(124);
  expect(file?.layout.storedRange(1, 2)).toEqual({
    start: 124 + STORED_SEGMENT_BYTES,
    end: 124 + 2 * STORED_SEGMENT_BYTES,
  });
  expect(crypt4ghOf(stored)).toBeUndefined();
});

describe('damage', () => {
  const file = encryptFile(plaintext);
  const [header = file, first = file, second = file, ...others] = splitFile(file, 124);
  const read = async (bytes: Uint8Array, range = { start: 0, end: plaintext.length }): Promise<unknown> => {
    const source = decryptingSource(storedSource(bytes), { keys });
    const codes = [
      await failureCode(() => source.read(range)),
      await failureCode(() => new Response(source.stream(range)).arrayBuffer()),
    ];
    expect(codes[0]).toBe(codes[1]);
    return codes[0];
  };

  test('a flipped bit of a segment fails, and other segments can be read', async () => {
    const flipped = file.slice();
    flipped[124 + STORED_SEGMENT_BYTES + 999] = (flipped[124 + STORED_SEGMENT_BYTES + 999] ?? 0) ^ 1;
    expect(await read(flipped)).toBe('AUTHENTICATION_FAILED');
    expect(await read(flipped, { start: 0, end: SEGMENT_BYTES })).toBeUndefined();
    expect(await read(flipped, { start: SEGMENT_BYTES - 1, end: SEGMENT_BYTES + 1 })).toBe('AUTHENTICATION_FAILED');
  });

  test('a file that is cut within a segment fails', async () => {
    expect(await read(file.slice(0, 123))).toBe('TRUNCATED');
    expect(await read(file.slice(0, 124 + 27))).toBe('TRUNCATED');
    expect(await read(file.slice(0, -1))).toBe('AUTHENTICATION_FAILED');
  });

  test('a short segment that is not the last fails', async () => {
    expect(await read(concatBytes([header, first, ...others.slice(-1), second]))).toBe('AUTHENTICATION_FAILED');
  });

  test('with an edit list, missing segments at the end are noticed', async () => {
    const edited = encryptFile(plaintext, { editList: [5, plaintext.length - 5] });
    const cut = edited.slice(0, edited.length - (1234 + 28));
    expect(await read(cut, { start: 0, end: 1 })).toBe('TRUNCATED');
    const discarding = encryptFile(plaintext, { editList: [plaintext.length + 1] });
    expect(await read(discarding, { start: 0, end: 1 })).toBe('TRUNCATED');
  });

  test('another key opens nothing', async () => {
    const source = decryptingSource(storedSource(file), { keys: [generateKeyPair().secretKey] });
    expect(await failureCode(() => source.stat())).toBe('NO_KEY_FITS');
  });

  test('a store that returns less than its size fails', async () => {
    const stored = storedSource(file);
    const short = { ...stored, stat: async () => ({ size: file.length + STORED_SEGMENT_BYTES, version: '1' }) };
    const source = decryptingSource(short, { keys });
    const range = { start: plaintext.length - 1, end: plaintext.length + SEGMENT_BYTES };
    expect(await failureCode(() => source.read(range))).toMatch(/SHORT_READ|AUTHENTICATION_FAILED/);
  });
});

test('a stat passes all options on to the stored file, such as the version that a cached one must have', async () => {
  const stored = storedSource(encryptFile(plaintext));
  const passed: unknown[] = [];
  const stat: typeof stored.stat = (options) => {
    passed.push(options);
    return stored.stat(options);
  };
  const options: ReadOptions = { version: 'another' };
  await decryptingSource({ ...stored, stat, key: stored.key }, { keys }).stat(options);
  expect(passed[0]).toBe(options);
});
