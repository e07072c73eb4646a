import { readFile } from 'node:fs/promises';
import { decodeBam, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';
import { fixtureService as htsgetService, READS } from './htsget/fixture-service.js';
import { fixtureService as refgetService } from './refget/fixture-service.js';

test('the example in the README reads from both services', async () => {
  let records = 0;
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url), {
    replace: {
      "baseUrl: 'http://127.0.0.1:8080'": `baseUrl: '${await htsgetService()}'`,
      "id: 'reads'": `id: '${READS}'`,
      "servers: ['http://127.0.0.1:8080']": `servers: ['http://127.0.0.1:1', '${await refgetService()}']`,
    },
    use: async () => {
      records = decodeBam(await readFile('slice.bam')).records.length;
    },
  });
  expect(output).toMatch(/^[A-Z]{20}\n$/);
  expect(records).toBeGreaterThan(10);
});
