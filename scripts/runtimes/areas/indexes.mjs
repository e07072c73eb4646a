import { inflateBlocks, inflateRange } from '@htskit/bgzf';
import { BamRecordFilter } from '@htskit/formats';
import { FaiBuilder, formatFai, parseBai } from '@htskit/indexes';
import { memorySource } from '@htskit/storage/memory';
import { equal } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';
import { countExpected, countRecords } from './formats.mjs';

const { references, regions, noCoordinateCount } = expected['straddle.bam'];

export const checks = {
  'finds every record of a region by its chunks': async () => {
    const bai = parseBai(files['straddle.bam.bai']);
    const source = memorySource(files['straddle.bam']);
    for (const region of regions.filter(({ end }) => typeof end === 'number')) {
      const referenceId = references.findIndex(({ name }) => name === region.referenceName);
      const interval = { referenceId, start: region.start, end: region.end };
      const filter = new BamRecordFilter([interval]);
      let count = 0;
      for (const chunk of bai.chunks(interval)) {
        for await (const { data } of inflateRange(source, chunk)) {
          for (const records of filter.push(data)) count += countRecords(records);
        }
      }
      filter.finish();
      equal(count, countExpected(region));
    }
  },
  'tells the statistics of a BAI': () => {
    const bai = parseBai(files['straddle.bam.bai']);
    equal(bai.noCoordinateCount, noCoordinateCount);
    const { mapped, unmapped } = references[0];
    equal(bai.referenceStatistics(0), { mapped, unmapped });
  },
  'builds the FAI that samtools wrote': () => {
    const builder = new FaiBuilder();
    builder.push(inflateBlocks(files['genome.fa.gz']));
    equal(formatFai(builder.finish()), new TextDecoder().decode(files['genome.fa.gz.fai']));
  },
};
