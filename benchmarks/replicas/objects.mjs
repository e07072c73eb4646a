// The objects of the bucket: genomes whose data is a hole between the header and the last record, and small files.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BigWigMemory, BigWigWriter } from '@htskit/formats';
import { writeIndexes } from '../indexes/files.mjs';
import { REFERENCES } from '../indexes/references.mjs';
import { createRandom } from '../random.mjs';
import { endWhereIndexed } from '../server/files.mjs';
import { writeBam } from '../write-bam.mjs';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));
/** Bases of a run of the bigWig files: longer than those of reads, so that 120,000 runs are all of a genome. */
const RUN_BASES = 25_000;

/** Writes the files into a folder. Returns the paths by key, the ids of the objects by kind, and a region of the reads. */
export async function writeObjects(folder) {
  const { BAI, TBI } = writeIndexes(folder);
  for (const { paths } of [BAI, TBI]) endWhereIndexed(paths.data, paths.index);
  const { path: reads, regions } = await writeBam(folder, 'reads', {
    length: 20_000_000,
    count: 100,
    longest: 100_000,
  });
  const coverage = join(folder, 'coverage.bw');
  writeFileSync(coverage, await makeBigWig());
  const files = { genome: [], summed: [], variants: [], reads: [], cram: [] };
  const paths = {};
  const add = (kind, count, parts) => {
    for (let n = 0; n < count; n += 1) {
      files[kind].push(`${kind}-${n}`);
      for (const [extension, path] of Object.entries(parts)) paths[`data/${kind}-${n}.${extension}`] = path;
    }
  };
  const genome = { bam: BAI.paths.data, 'bam.bai': BAI.paths.index };
  add('genome', 6, genome);
  add('summed', 4, { ...genome, 'bam.coverage.bw': coverage });
  add('variants', 3, { 'vcf.gz': TBI.paths.data, 'vcf.gz.tbi': TBI.paths.index });
  add('reads', 4, { bam: reads, 'bam.bai': `${reads}.bai` });
  add('cram', 3, { cram: `${FIXTURES}reads.cram`, 'cram.crai': `${FIXTURES}reads.cram.crai` });
  return { paths, files, regions: regions.map(({ region }) => region) };
}

async function makeBigWig() {
  const target = new BigWigMemory();
  const writer = new BigWigWriter(target, { references: REFERENCES });
  const random = createRandom(5);
  for (const [referenceId, { length }] of REFERENCES.entries()) {
    const runs = Array.from({ length: Math.ceil(length / RUN_BASES) }, (_, run) => run * RUN_BASES);
    await writer.write({
      referenceId,
      length: runs.length,
      start: runs,
      end: runs.map((start) => Math.min(start + RUN_BASES, length)),
      value: runs.map(() => 20 + (random() % 20)),
    });
  }
  await writer.finish();
  return target.bytes;
}
