import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openRecords } from '../../src/index.js';

test.each([
  ['reads.bam', 'reads.bam.bai', ['a.bam', 'a.bam.bai', 'a.bai']],
  ['reads-csi.bam', 'reads-csi.bam.csi', ['a.bam', 'a.bam.csi', 'a.csi']],
  ['reads.cram', 'reads.cram.crai', ['a.cram', 'a.cram.crai', 'a.crai']],
  ['variants.vcf.gz', 'variants.vcf.gz.tbi', ['a.vcf.gz', 'a.vcf.gz.tbi', 'a.vcf.tbi']],
  ['variants-csi.vcf.gz', 'variants-csi.vcf.gz.csi', ['a.vcf.gz', 'a.vcf.gz.csi', 'a.vcf.csi']],
  ['variants.bcf', 'variants.bcf.csi', ['a.bcf', 'a.bcf.csi', 'a.csi']],
])('the index of %s is found beside it', async (data, index, [name = '', ...indexNames]) => {
  const region = { referenceName: 'chr1', start: 1000, end: 2000 };
  const whole = await openRecords(fixturePath(data));
  const expected = await whole.count(region);
  await whole.close();
  expect(expected).toBeGreaterThan(0);
  for (const indexName of indexNames) {
    const folder = mkdtempSync(join(tmpdir(), 'htskit-index-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    copyFileSync(fixturePath(data), join(folder, name));
    copyFileSync(fixturePath(index), join(folder, indexName));
    const file = await openRecords(join(folder, name));
    expect(await file.count(region)).toBe(expected);
    await file.close();
  }
});
