import { createHtsgetHandler } from '@htskit/htsget';
import { openAlignments, openTabix, openVariants } from '@htskit/records';
import { memorySource } from '@htskit/storage/memory';
import { equal, failsWith } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';
import { countExpected } from '../records.mjs';

const PUBLIC_URL = 'http://localhost';

const sourceOf = (name) => memorySource(files[name], { version: '1' });

/** Checks that a file has the records of the regions that are expected. */
async function checkRegions(file, name) {
  for (const { records, ...region } of expected[name].regions.slice(0, 20)) {
    equal(await file.count(region), countExpected({ records }));
  }
}

export const checks = {
  'reads the records of regions of BAM, VCF and BCF': async () => {
    const reads = await openAlignments(sourceOf('straddle.bam'), { index: sourceOf('straddle.bam.bai') });
    await checkRegions(reads, 'straddle.bam');
    const vcf = await openVariants(sourceOf('variants.vcf.gz'), { index: sourceOf('variants.vcf.gz.tbi') });
    await checkRegions(vcf, 'variants.vcf.gz');
    const bcf = await openVariants(sourceOf('variants.bcf'), { index: sourceOf('variants.bcf.csi') });
    await checkRegions(bcf, 'variants.bcf');
  },
  'reads all records without an index': async () => {
    const reads = await openAlignments(sourceOf('straddle.bam'));
    const names = [];
    for await (const read of reads.records()) names.push(read.name);
    equal(names.length, expected['straddle.bam'].recordCount);
    equal(await (await openAlignments(sourceOf('v31.cram'))).count(), 1145);
  },
  'reads the records of regions of CRAM': async () => {
    const cram = await openAlignments(sourceOf('multiref.cram'), { index: sourceOf('multiref.cram.crai') });
    equal(cram.format, 'CRAM');
    equal(await cram.count({ referenceName: '*' }), 60);
  },
  'reads lines by their tabix index': async () => {
    const lines = await openTabix(sourceOf('variants.vcf.gz'), sourceOf('variants.vcf.gz.tbi'));
    await checkRegions(lines, 'variants.vcf.gz');
  },
  'reads the records of regions from a service': async () => {
    const stored = { format: 'BAM', data: sourceOf('straddle.bam'), index: sourceOf('straddle.bam.bai') };
    // Created late, because some runtimes have no random numbers before a request.
    const handler = createHtsgetHandler({ resolve: async () => [stored], publicUrl: PUBLIC_URL });
    const fetch = (url, init) => handler(new Request(url, init));
    await checkRegions(await openAlignments({ htsget: `${PUBLIC_URL}/reads/a`, fetch }), 'straddle.bam');
  },
  'rejects a region without an index': async () => {
    const reads = await openAlignments(sourceOf('straddle.bam'));
    await failsWith('MISSING_INDEX', () => reads.count({ referenceName: 'chr1' }));
  },
};
