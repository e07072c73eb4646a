import type { ObjectEntry } from '@htskit/catalogue';
import type { StoredFile } from '@htskit/htsget';
import type { Sequence } from '@htskit/sequences';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { writeExamples } from '../../../src/commands/serve/examples.js';
import type { RunningServer } from '../../../src/runtime/serve.js';

/** The region of the first records in reads.bam. */
const REGION = 'referenceName=chr1&start=0&end=16384';
const BASE = 'http://here.example';

/** A file without a record on a reference, a damaged one, or any other. */
function bam(id: string): StoredFile {
  const name = id === 'empty' ? 'empty.bam' : 'reads.bam';
  const bytes = readFixture(name);
  return {
    format: 'BAM',
    data: memorySource(id === 'damaged' ? bytes.subarray(0, 100) : bytes),
    index: memorySource(readFixture(`${name}.bai`)),
  };
}

async function examples(entries: () => ObjectEntry[], sequences: readonly Partial<Sequence>[] = []): Promise<string> {
  const server = {
    objects: {
      list: () => Promise.resolve().then(entries),
      resolve: (id: string) => (id === 'broken' ? Promise.reject(new Error('EACCES')) : Promise.resolve([bam(id)])),
    },
    sequences: { longest: () => sequences, settled: () => Promise.resolve() },
  } as unknown as RunningServer;
  const written: string[] = [];
  await writeExamples(server, { baseUrl: BASE, write: (line) => written.push(line) });
  return written.join('\n');
}

const reads = (...ids: string[]): ObjectEntry[] => ids.map((id) => ({ id, datatype: 'reads', formats: ['BAM'] }));

test('skips objects that cannot be read or have no records', async () => {
  const metadata = { length: 99, md5: 'a' } as Sequence['metadata'];
  const broken = { metadata: { ...metadata, length: 100 }, read: () => Promise.reject(new Error('EACCES')) };
  const whole = { metadata, read: () => Promise.resolve(new TextEncoder().encode('ACGTACGTAC')) };
  const text = await examples(() => reads('broken', 'damaged', 'empty', 'whole'), [
    broken,
    whole,
  ] as Partial<Sequence>[]);
  expect(text).toContain(`samtools view '${BASE}/reads/whole?${REGION}'`);
  expect(text).not.toMatch(/broken|damaged|empty/);
  expect(text).toContain(`curl -s '${BASE}/sequence/a?start=10&end=20'`);
  const fail = (): never => {
    throw new Error('EACCES');
  };
  expect(await examples(fail)).toBe('');
  expect(await examples(() => reads('empty'))).toBe('');
});

test('shows the object in the most formats', async () => {
  const entries: ObjectEntry[] = [
    ...reads('a', 'b'),
    { id: 'c', datatype: 'reads', formats: ['BAM', 'CRAM'] },
    { id: 'd', datatype: 'reads', formats: ['BAM', 'CRAM'] },
  ];
  expect((await examples(() => entries)).split('\n')).toEqual([
    '',
    'Try in another terminal:',
    '',
    `  samtools view '${BASE}/reads/c?${REGION}'`,
    '',
    `All that is served: ${BASE}/ in a browser, or curl -s ${BASE}/`,
    `For genome browsers: ${BASE}/igv/session.json (igv.js), ${BASE}/jbrowse/config.json (JBrowse)`,
    `  open in JBrowse at jbrowse.org: https://jbrowse.org/code/jb2/latest/?config=${encodeURIComponent(`${BASE}/jbrowse/config.json`)}`,
    `  open in IGV-Web at igv.org: https://igv.org/app/?sessionURL=${encodeURIComponent(`${BASE}/igv/session.json`)}`,
    `  open in IGV on this computer: http://localhost:60151/load?file=${encodeURIComponent(`${BASE}/igv/desktop.json`)}`,
    '',
  ]);
});
