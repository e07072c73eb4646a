import { type RawDigests, SequenceHasher } from '@htskit/digest/internal';
import { expect, test, vi } from 'vitest';
import { checkBases, isBases, parseSequenceId } from '../../src/refget/sequence.js';

async function* chunksOf(...texts: string[]): AsyncGenerator<Uint8Array, void> {
  for (const text of texts) yield Buffer.from(text);
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

test.each([0, 1, 2, 3, 4, 5])('only upper-case letters are bases, also at offset %i', (at) => {
  const accepted = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) =>
    isBases(Uint8Array.from({ length: 6 }, (_, index) => (index === at ? byte : 0x5a))),
  );
  expect(String.fromCharCode(...accepted)).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
});

test.each([
  ['md5', 'f1f8f4bf413b16ad135722aa4591043e', 'md5'],
  ['sha512t24u', 'SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2', 'sha512'],
  ['trunc512', '68a178f7c740c5c240aa67ba41843b119d3bf9f8b0f0ac36', 'sha512'],
] as const)('verifies the %s of a sequence with a single hash', async (_, id, algorithm) => {
  const digest = vi.spyOn(SequenceHasher.prototype, 'digest');
  const expected = { length: undefined, wholeOf: parseSequenceId(id) };
  expect(await textOf(checkBases(chunksOf('AC', 'GT'), expected))).toBe('ACGT');
  const hashes = digest.mock.results.at(-1)?.value as RawDigests | undefined;
  expect([hashes?.md5 !== undefined, hashes?.sha512 !== undefined]).toEqual([algorithm === 'md5', algorithm !== 'md5']);
  const other = textOf(checkBases(chunksOf('ACGA'), expected));
  await expect(other).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
});

test('letters after the first chunk are covered by the digest of the sequence', async () => {
  const wholeOf = parseSequenceId('f1f8f4bf413b16ad135722aa4591043e');
  const part = textOf(checkBases(chunksOf('AC', 'gt'), { length: 4, wholeOf: undefined }));
  await expect(part).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  const whole = textOf(checkBases(chunksOf('AC', 'gt'), { length: undefined, wholeOf }));
  await expect(whole).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
  const page = textOf(checkBases(chunksOf('<html>', 'AC'), { length: undefined, wholeOf }));
  await expect(page).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
});

test.each([2 ** 24, undefined])('verifies a sequence whose response declared a length of %o', async (declared) => {
  const wholeOf = parseSequenceId('f1f8f4bf413b16ad135722aa4591043e');
  const expected = { length: undefined, wholeOf, declaredLength: () => declared };
  expect(await textOf(checkBases(chunksOf('AC', 'GT'), expected))).toBe('ACGT');
  const others = textOf(checkBases(chunksOf('AC', 'GA'), expected));
  await expect(others).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
});
