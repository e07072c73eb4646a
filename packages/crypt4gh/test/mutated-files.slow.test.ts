import { expect, test } from 'vitest';
import { checkMutatedFiles, checkMutatedPayloads } from './mutated-files.js';

test('100,000 damaged files are refused with typed errors, or decrypted to bytes that were encrypted', async () => {
  const files = await checkMutatedFiles(80_000);
  expect(files.refused).toBeGreaterThan(40_000);
  expect(files.accepted).toBeGreaterThan(100);
  const payloads = await checkMutatedPayloads(20_000);
  expect(payloads.refused).toBeGreaterThan(2000);
  expect(payloads.accepted).toBeGreaterThan(100);
}, 1_500_000);
