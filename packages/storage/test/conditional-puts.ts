import type { ObjectStore } from '@htskit/io';
import { failureCode, objectBytes } from '@htskit/testing';
import { expect, test } from 'vitest';
import { chunksOf, isHeld, keysOf } from './stored-objects.js';

type Subject = () => ObjectStore;

const ONE = Uint8Array.of(1);

/** Registers the tests of puts with a condition. */
export function conditionTests(subject: Subject): void {
  const contents: [string, () => Uint8Array | { size: number; chunks: AsyncIterable<Uint8Array> }][] = [
    ['bytes', () => objectBytes],
    ['a stream', () => ({ size: objectBytes.length, chunks: chunksOf(objectBytes) })],
    ['no bytes', () => new Uint8Array(0)],
  ];
  const codeOf = (content: Uint8Array | { size: number; chunks: AsyncIterable<Uint8Array> }, replaces: string | null) =>
    failureCode(() => subject().put('folder/a', content, { replaces }));

  test.each(contents)('%s that replace nothing are put once', async (_, create) => {
    await subject().put('folder/a', create(), { replaces: null });
    const { size } = await subject().source('folder/a').stat();
    expect(await codeOf(create(), null)).toBe('CHANGED');
    expect(await codeOf(ONE, null)).toBe('CHANGED');
    expect((await subject().source('folder/a').stat()).size).toBe(size);
    expect(await keysOf(subject(), '')).toEqual(['folder/a']);
  });

  test.each(contents)('%s replace the object of a version, and no other', async (_, create) => {
    const source = subject().source('folder/a');
    await subject().put('folder/a', ONE);
    const { version = '' } = await source.stat();
    await subject().put('folder/a', create(), { replaces: version });
    const { size } = await source.stat();
    expect(size).not.toBe(ONE.length);
    expect(await codeOf(ONE, version)).toBe('CHANGED');
    expect((await source.stat()).size).toBe(size);
    await subject().delete('folder/a');
    expect(await codeOf(create(), version)).toBe('CHANGED');
    expect(await keysOf(subject(), '')).toEqual([]);
  });

  test('of concurrent puts that replace nothing, one succeeds', async () => {
    const contents = Array.from({ length: 8 }, (_, index) => new Uint8Array(50_000 + index).fill(index));
    const codes = await Promise.all(
      contents.map((content) =>
        subject()
          .put('one/key', content, { replaces: null })
          .then(
            () => 'put',
            (error: unknown) => (error as { code?: string }).code,
          ),
      ),
    );
    const winner = codes.indexOf('put');
    expect(codes.toSorted((a = '', b = '') => a.localeCompare(b))).toEqual([
      ...Array.from({ length: 7 }, () => 'CHANGED'),
      'put',
    ]);
    expect(await isHeld(subject(), 'one/key', contents[winner] ?? ONE)).toBe(true);
  });
}

/** Registers the test of what objects are made of. */
export function originTest(subject: Subject, keepsOrigins: boolean): void {
  test(`${keepsOrigins ? 'keeps' : 'drops'} the origin of an object`, async () => {
    for (const [key, content] of [['a', ONE] as const, ['b', { size: 1, chunks: chunksOf(ONE) }] as const]) {
      await subject().put(key, content, { origin: '"é" 1' });
      expect((await subject().source(key).stat()).origin).toBe(keepsOrigins ? '"é" 1' : undefined);
    }
    await subject().put('a', ONE);
    expect((await subject().source('a').stat()).origin).toBe(undefined);
  });
}
