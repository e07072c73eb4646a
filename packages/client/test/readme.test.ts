import { readFile } from 'node:fs/promises';
import { decodeBam, expectations, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';
import { fixtureService as htsgetService, READS } from './htsget/fixture-service.js';
import { fixtureService as refgetService } from './refget/fixture-service.js';

test('the example in the README reads from both services', async () => {
  const [chr1] = expectations('genome.fa').sequences;
  let records = 0;
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url), {
    replace: {
      'https://data.example.org': await htsgetService(),
      NA12878: READS,
      'https://sequences.example.org': 'http://127.0.0.1:1',
      'https://mirror.example.org': await refgetService(),
      MD5_OF_CHR1: chr1?.md5 ?? '',
    },
    use: async () => {
      records = decodeBam(await readFile('slice.bam')).records.length;
    },
  });
  expect(output).toMatch(/^[A-Z]{20}\n$/);
  expect(records).toBeGreaterThan(10);
});
