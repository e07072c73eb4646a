import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderObjects } from '@htskit/catalogue/folder';
import { createHtsgetHandler } from '@htskit/htsget';
import { createRandom, fixturePath, readFixture, splitBgzf } from '@htskit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchAnswer, type Handler, PUBLIC_URL } from './interop-client.js';
import { runTool } from './interop-tools.js';

interface CutFile {
  readonly name: string;
  readonly index: string;
  readonly path: string;
  /** Prints the records of a file, or of a region of it. */
  readonly view: readonly string[];
}

const files: readonly CutFile[] = [
  { name: 'reads.bam', index: '.bai', path: '/reads/cut?format=BAM', view: ['samtools', 'view'] },
  { name: 'reads.cram', index: '.crai', path: '/reads/cut?format=CRAM', view: ['samtools', 'view'] },
  { name: 'v31.cram', index: '.crai', path: '/reads/cut?format=CRAM', view: ['samtools', 'view'] },
  { name: 'variants.vcf.gz', index: '.tbi', path: '/variants/cut?format=VCF', view: ['bcftools', 'view', '-H'] },
  { name: 'variants.bcf', index: '.csi', path: '/variants/cut?format=BCF', view: ['bcftools', 'view', '-H'] },
];

const regions = ['chr1:1-4000', 'chr1:20001-23000', 'chr1:100001-101000', 'chr2', 'chrM:5001-6000'];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Every block boundary, or none for CRAM, and random offsets. */
function cutsOf(name: string): number[] {
  const bytes = readFixture(name);
  const boundaries = name.endsWith('.cram') ? [] : splitBgzf(bytes).map(({ coffset }) => coffset);
  const random = createRandom(bytes.length);
  const start = boundaries[1] ?? 2000;
  return [
    ...boundaries.slice(1, -1),
    ...Array.from({ length: 8 }, () => start + Math.floor(random() * (bytes.length - start - 40))),
  ];
}

async function openHandler(bytes: Uint8Array, { name, index }: CutFile): Promise<Handler> {
  const place = mkdtempSync(join(folder, 'cut-'));
  const extension = name.slice(name.indexOf('.'));
  writeFileSync(join(place, `cut${extension}`), bytes);
  writeFileSync(join(place, `cut${extension}${index}`), readFixture(name + index));
  const { resolve } = await folderObjects(place);
  return createHtsgetHandler({ publicUrl: PUBLIC_URL, precision: 'exact', resolve, onError: () => undefined });
}

function pathOf({ path }: CutFile, region: string): string {
  const [, referenceName, first, last] = /^([^:]+)(?::(\d+)-(\d+))?$/.exec(region) ?? [];
  return `${path}&referenceName=${referenceName}${first === undefined ? '' : `&start=${Number(first) - 1}&end=${last}`}`;
}

test.each(files)('$name: samtools reads all records of an answer of a cut file, or there is none', async (file) => {
  const whole = fixturePath(file.name);
  const place = join(folder, `answer-${file.name}`);
  const expected = new Map<string, string>();
  for (const region of regions) expected.set(region, await runTool([...file.view, whole, region]));
  const outcomes = { equal: 0, refused: 0 };
  const unequal: string[] = [];
  for (const byteLength of cutsOf(file.name)) {
    const handler = await openHandler(readFixture(file.name).subarray(0, byteLength), file);
    await expect(fetchAnswer(handler, file.path), `${byteLength}`).rejects.toThrow(/: 500 /);
    for (const region of regions) {
      const answer = await fetchAnswer(handler, pathOf(file, region)).catch(() => undefined);
      if (answer === undefined) outcomes.refused++;
      else {
        writeFileSync(place, answer);
        const found = await runTool([...file.view, place]);
        const wanted = expected.get(region) ?? '';
        // CRAM is cut at containers, which hold further records.
        const kept = new Set(wanted.split('\n'));
        const compared = file.name.endsWith('.cram')
          ? found
              .split('\n')
              .filter((line) => kept.has(line))
              .join('\n')
          : found;
        if (compared === wanted) outcomes.equal++;
        else unequal.push(`${region} of ${byteLength} bytes`);
      }
    }
  }
  expect(unequal).toEqual([]);
  expect(Math.min(outcomes.equal, outcomes.refused)).toBeGreaterThan(0);
});
