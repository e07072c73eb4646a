import { memorySource } from '@htskit/storage/memory';
import { fixturePath, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import {
  type AlignmentFile,
  openAlignments,
  openRecords,
  openTabix,
  type ReadProgress,
  readPairs,
  type VariantFile,
} from '../src/index.js';
import { countJobs, repeatBam, repeatCram, startWorker } from './ahead/long-files.js';
import { collect } from './expected-records.js';
import { serveHtsget } from './file-server.js';
import { genomeReference } from './genome-reference.js';

/** Collects the progress of a reading, and fails if it becomes less. */
function recordProgress() {
  const calls: ReadProgress[] = [];
  return {
    calls,
    onProgress: (progress: ReadProgress): void => {
      expect(progress.bytes).toBeGreaterThanOrEqual(calls.at(-1)?.bytes ?? 1);
      calls.push(progress);
    },
  };
}

const options = { reference: genomeReference, onWarning: () => undefined };
const FILES = ['reads.bam', 'reads.cram', 'multiref.cram', 'variants.vcf.gz', 'variants.bcf'];

describe.each(FILES)('the progress of %s', (name) => {
  test('ends with all bytes of the file, whatever is read', async () => {
    const file = await openRecords(fixturePath(name), options);
    const size = (await file.estimateBytes()) ?? 0;
    // The header of CRAM is not read again.
    const [least, most] = name.endsWith('.cram') ? [size - 5000, size - 1] : [size, size];
    for (const read of [
      (onProgress: (progress: ReadProgress) => void) => collect<unknown>(file.records(undefined, { onProgress })),
      (onProgress: (progress: ReadProgress) => void) => file.count(undefined, { onProgress }),
      (onProgress: (progress: ReadProgress) => void) =>
        collect<unknown>(
          'samples' in file.header
            ? (file as VariantFile).columns(undefined, { fields: ['start'], onProgress })
            : (file as AlignmentFile).columns(undefined, { fields: ['start'], onProgress }),
        ),
    ]) {
      const { calls, onProgress } = recordProgress();
      await read(onProgress);
      const { bytes, totalBytes } = calls.at(-1) ?? {};
      expect(bytes).toBe(totalBytes);
      expect(bytes).toBeGreaterThanOrEqual(least);
      expect(bytes).toBeLessThanOrEqual(most);
    }
    await file.close();
  });

  test('of regions ends with what their records are estimated to take, read and kept', async () => {
    const file = await openRecords(fixturePath(name), options);
    const regions = ['chr1:1-30000', 'chr2', ...(name === 'reads.bam' ? ['*'] : [])];
    for (let pass = 0; pass < 2; pass++) {
      const { calls, onProgress } = recordProgress();
      await file.count(regions, { onProgress });
      const estimate = await file.estimateBytes(regions);
      expect(calls.at(-1)).toEqual({ bytes: estimate, totalBytes: estimate });
    }
    await file.close();
  });

  test('of an htsget service ends with the bytes that it sends', async () => {
    const origin = await serveHtsget({ [name]: [name] });
    const datatype = name.startsWith('variants') ? 'variants' : 'reads';
    const file = await openRecords({ htsget: `${origin}/${datatype}/${name}` }, options);
    const { calls, onProgress } = recordProgress();
    expect(await file.count(undefined, { onProgress })).toBeGreaterThan(0);
    const { bytes = 0, totalBytes = bytes } = calls.at(-1) ?? {};
    expect(bytes).toBeGreaterThan(readFixture(name).length / 2);
    expect(totalBytes).toBe(bytes);
  });
});

test('a region of many blocks is reported block by block', async () => {
  const file = await openAlignments(fixturePath('reads.bam'));
  const { calls, onProgress } = recordProgress();
  await file.count('chr1', { onProgress });
  expect(calls.length).toBeGreaterThan(3);
});

test('a scan without an index, and a tabix file, end with all bytes', async () => {
  const bytes = readFixture('variants.vcf.gz');
  const scanned = recordProgress();
  const file = await openRecords(memorySource(bytes), options);
  await file.count('chr1', { scan: true, onProgress: scanned.onProgress });
  const whole = recordProgress();
  const lines = await openTabix(memorySource(bytes), fixturePath('variants.vcf.gz.tbi'));
  await lines.count(undefined, { onProgress: whole.onProgress });
  for (const { calls } of [scanned, whole]) {
    expect(calls.at(-1)).toEqual({ bytes: bytes.length, totalBytes: bytes.length });
  }
});

test('the progress of pairs is that of the regions, without the mates elsewhere', async () => {
  const file = await openAlignments(fixturePath('reads.bam'));
  const { calls, onProgress } = recordProgress();
  await collect(readPairs(file, 'chr1', { onProgress }));
  const estimate = await file.estimateBytes('chr1');
  expect(calls.at(-1)).toEqual({ bytes: estimate, totalBytes: estimate });
  await file.close();
});

test.each([
  ['BAM', repeatBam('reads.bam', 2 ** 23)],
  ['CRAM', repeatCram('reads.cram', 1_100_000)],
])('workers report the progress of %s', async (_, bytes) => {
  const open = () => openAlignments(memorySource(bytes, { version: '1' }), { ...options, workers: 2 });
  await startWorker(async () => (await open()).count());
  const jobs = countJobs();
  const { calls, onProgress } = recordProgress();
  expect(await (await open()).count(undefined, { onProgress })).toBeGreaterThan(1000);
  expect(await jobs.done()).toBeGreaterThan(0);
  expect(calls.length).toBeGreaterThan(3);
  expect(calls.at(-1)?.bytes).toBe(calls.at(-1)?.totalBytes);
});
