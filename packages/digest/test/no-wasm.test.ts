import { afterEach, expect, test, vi } from 'vitest';

const ascii = (text: string) => new TextEncoder().encode(text);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

class ForbiddenModule {
  constructor() {
    throw new EvalError('refused by the Content Security Policy');
  }
}

test.each([
  ['is missing', undefined],
  ['is forbidden', { Module: ForbiddenModule }],
])('JavaScript computes the same digests if WebAssembly %s', async (_, webAssembly) => {
  vi.stubGlobal('WebAssembly', webAssembly);
  vi.resetModules();
  const { digestInstance } = await import('../src/wasm/digest-instance.js');
  expect(digestInstance).toBeUndefined();
  const { createMd5, createSha512 } = await import('../src/hash.js');
  for (const [hasher, start] of [
    [createMd5(), '900150983cd24fb0'],
    [createSha512(), 'ddaf35a193617aba'],
  ] as const) {
    hasher.update(ascii('abc'));
    expect(Buffer.from(hasher.digest()).toString('hex')).toMatch(new RegExp(`^${start}`));
  }
  const { normalizeSequence } = await import('../src/normalize.js');
  expect(normalizeSequence(ascii('ac\nGT*'), { characters: 'sam' })).toEqual(ascii('ACGT*'));
});
