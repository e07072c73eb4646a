import { memorySource } from '@htskit/storage/memory';
import { expect, test } from 'vitest';
import { keepSources } from '../../src/sequences/sequence-file.node.js';

test('a store that keeps its sources creates one for each object, and closes each once', async () => {
  const [created, closed]: [string[], string[]] = [[], []];
  const { source, close } = keepSources({
    source(key) {
      created.push(key);
      return Object.assign(memorySource(new Uint8Array(1)), { close: async () => void closed.push(key) });
    },
  });
  expect(source('a')).toBe(source('a'));
  expect(source('b')).not.toBe(source('a'));
  await close();
  expect([created, closed]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});
