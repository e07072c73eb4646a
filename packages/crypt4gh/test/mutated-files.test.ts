import { volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import { checkMutatedFiles, checkMutatedPayloads } from './mutated-files.js';

test('a damaged file is refused with a typed error, or decrypted to bytes that were encrypted', async () => {
  const count = volume(5000);
  expect((await checkMutatedFiles(count)).refused).toBeGreaterThan(count / 2);
});

test('a damaged packet that authenticates is refused with a typed error, or adds no bytes', async () => {
  const count = volume(5000);
  expect((await checkMutatedPayloads(count)).refused).toBeGreaterThan(count / 10);
});
