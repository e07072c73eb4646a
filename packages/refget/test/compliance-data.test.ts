import { join } from 'node:path';
import { openFasta } from '@htskit/sequences';
import { fileSource } from '@htskit/storage/file';
import { describe, expect, test } from 'vitest';
import { createCatalogue } from '../src/catalogue/catalogue.js';
import { createRefgetHandler } from '../src/handler.js';

const folder = process.env['HTSKIT_EXTERNAL_DATA'];

// Two sequences of the public compliance suite; the bases agree with samtools faidx.
describe.skipIf(folder === undefined)('sequences in HTSKIT_EXTERNAL_DATA', () => {
  async function get(path: string, init?: RequestInit): Promise<[number, string]> {
    const open = (name: string) =>
      openFasta({ data: fileSource(join(folder ?? '', name)), circular: new Set(['NC_001422.1']) });
    const catalogue = createCatalogue([...(await open('I.faa')), ...(await open('NC.faa'))]);
    const handle = createRefgetHandler({ catalogue, rangeOutOfBounds: 416 });
    const response = await handle(new Request(`http://localhost/sequence/${path}`, init));
    return [response.status, await response.text()];
  }
  const I = '6681ac2f62509cfc220d78751b8dc524';
  const NC = '3332ed720ac7eaa9b3655c06f6b9e196';

  test.each([
    [`${I}?start=10&end=10`, 200, ''],
    [`${I}?start=10&end=20`, 200, 'CCCACACACC'],
    [`${I}?start=10&end=11`, 200, 'C'],
    [`${I}?start=230208`, 200, 'TGTGTGTGGG'],
    [`${I}?end=5`, 200, 'CCACA'],
    [`959cb1883fc1ca9ae1394ceb475a356ead1ecceff5824ae7?end=5`, 200, 'CCACA'],
    [`ga4gh:SQ.lZyxiD_ByprhOUzrR1o1bq0ezO_1gkrn?end=5`, 200, 'CCACA'],
    [`${NC}?start=5374&end=5`, 200, 'ATCCAACCTGCAGAGTT'],
    [`${NC}?start=5374&end=0`, 200, 'ATCCAACCTGCA'],
    [`${NC}?start=5380&end=25`, 200, 'CCTGCAGAGTTTTATCGCTTCCATGACGCAG'],
  ])('%s is answered with %i and its bases', async (path, status, bases) => {
    expect(await get(path)).toEqual([status, bases]);
  });

  test.each([
    ['bytes=10-19', 206, 'CCCACACACC'],
    ['bytes=230217-230218', 206, 'G'],
  ])('Range %s is answered with %i and its bases', async (range, status, bases) => {
    expect(await get(I, { headers: { range } })).toEqual([status, bases]);
  });

  test('the whole sequences are as long as published', async () => {
    const [, whole] = await get(I);
    expect(whole).toHaveLength(230_218);
    expect((await get(NC))[1]).toHaveLength(5386);
  });
});
