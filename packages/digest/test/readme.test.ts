import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README prints the digests of coreutils', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  const md5 = '244306466de0c3f1e9e7792e24e9a38c';
  expect(output).toBe(`12 ${md5} SQ._ZoLBA4K2Q-CAEggJeIAINTSBqsFF5fZ\n{ kind: 'md5', digest: '${md5}' }\n`);
});
