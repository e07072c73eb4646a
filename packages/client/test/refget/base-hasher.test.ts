import { Worker } from 'node:worker_threads';
import { SequenceHasher } from '@htskit/digest/internal';
import { SessionPool, type SpawnedWorker } from '@htskit/io/workers';
import { expect, type MockInstance, onTestFinished, test, vi } from 'vitest';
import type { BaseHasher } from '../../src/refget/base-hasher.js';
import { createBaseHasher, type HashPool, openBaseHasher } from '../../src/refget/base-hasher.node.js';

/** Long enough for a worker. */
const LONG = 2 ** 24;

/** Bases that repeat after a prime number. */
function basesOf(length: number): Uint8Array {
  return new Uint8Array(Buffer.alloc(length, 'ACGTNACGTTGCAAGTC'));
}

function fail(message: string): never {
  throw new Error(message);
}

function hash(bases: Uint8Array): unknown {
  const hasher = new SequenceHasher('both');
  hasher.update(bases);
  return plain(hasher.digest());
}

function plain({ length, md5, sha512 }: ReturnType<SequenceHasher['digest']>): unknown {
  return { length, md5: [...(md5 ?? [])], sha512: [...(sha512 ?? [])] };
}

/** Observes what the hashers of this thread are given. */
function spyOnUpdate(): MockInstance<SequenceHasher['update']> {
  return vi.spyOn(SequenceHasher.prototype, 'update').mockClear();
}

async function hashInChunks(hasher: BaseHasher, bases: Uint8Array, length: number): Promise<unknown> {
  for (let at = 0; at < bases.length; at += length) {
    const chunk = bases.slice(at, at + length);
    await hasher.update(chunk);
    // The caller may change the bases after the call.
    chunk.fill(0);
  }
  const hashes = plain(await hasher.digest());
  hasher.close();
  return hashes;
}

test.each([
  ['no bases', 0, 1],
  ['less than one slot', 1000, 999],
  ['more slots than there are at once, in odd chunks', 6 * 2 ** 20 + 1, 65_537],
  ['chunks that fill slots', 2 ** 21, 2 ** 20],
  ['a chunk of several slots', 3 * 2 ** 20 + 5, 2 ** 22],
])('a worker computes the same hashes as the thread of the caller: %s', async (_, length, chunkLength) => {
  const bases = basesOf(length);
  const expected = hash(bases);
  const update = spyOnUpdate();
  expect(await hashInChunks(await createBaseHasher('both', LONG), bases, chunkLength)).toEqual(expected);
  expect(update).not.toHaveBeenCalled();
});

test('a sequence of short or unknown length is hashed by the thread of the caller', async () => {
  const bases = basesOf(100);
  const expected = hash(bases);
  const update = spyOnUpdate();
  expect(await hashInChunks(await createBaseHasher('both', LONG - 1), bases, 60)).toEqual(expected);
  expect(update).toHaveBeenCalledTimes(2);
});

test.each<[string, () => SpawnedWorker]>([
  ['workers are not allowed', () => fail('no workers')],
  ['the script is missing', () => new Worker(new URL('missing.js', import.meta.url), { execArgv: [] })],
])('the thread of the caller hashes if %s', async (_, spawn) => {
  const pool: HashPool = new SessionPool({ spawn });
  const bases = basesOf(100);
  expect(await hashInChunks(await openBaseHasher('both', pool), bases, 60)).toEqual(hash(bases));
});

test('a worker that dies fails the hashing', async () => {
  const script = new URL('../../dist/refget/hash-worker.js', import.meta.url);
  const pool: HashPool = new SessionPool({ spawn: () => new Worker(script, { execArgv: [] }) });
  onTestFinished(() => pool.close());
  const hasher = await openBaseHasher('md5', pool);
  await hasher.update(basesOf(10));
  await pool.close();
  await expect(hasher.digest()).rejects.toMatchObject({ code: 'ENDED' });
});
