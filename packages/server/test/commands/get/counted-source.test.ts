import { memorySource } from '@htskit/storage/memory';
import { byteSourceContract } from '@htskit/testing';
import { expect, test } from 'vitest';
import { countedSource } from '../../../src/commands/get/counted-source.js';

byteSourceContract(
  'countedSource',
  (bytes) => {
    let bytesRead = 0;
    const source = countedSource(memorySource(bytes), (count) => {
      bytesRead = count;
    });
    return { source, bytesRead: () => bytesRead };
  },
  { without: ['missing', 'version', 'replace'] },
);

test('tells what was read in all, by whatever call', async () => {
  const counts: number[] = [];
  const source = countedSource(memorySource(new Uint8Array(1000)), (bytesRead) => counts.push(bytesRead));
  await source.read({ start: 990, end: 2000 });
  await source.stream({ start: 0, end: 400 }).getReader().read();
  await source.read({ start: 0, end: 1 });
  expect(counts).toEqual([10, 410, 411]);
});
