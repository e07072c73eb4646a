import { depth, estimateDepth, readDepth } from '@htskit/coverage';
import { BigWigMemory, BigWigWriter } from '@htskit/formats';
import { parseBinningIndex } from '@htskit/indexes';
import { openAlignments } from '@htskit/records';
import { memorySource } from '@htskit/storage/memory';
import { equal } from '../check.mjs';
import { files } from '../fixtures.mjs';

const sourceOf = (name) => memorySource(files[name], { version: '1' });

export const checks = {
  'computes the depth of a region and of a file': async () => {
    const reads = await openAlignments(sourceOf('straddle.bam'), { index: sourceOf('straddle.bam.bai') });
    const [{ name, length }] = reads.references;
    const region = await depth(reads, { referenceName: name }, { bins: 10 });
    let sum = 0;
    for await (const runs of readDepth(reads)) {
      for (let i = 0; i < runs.length && runs.referenceId === 0; i++)
        sum += (runs.end[i] - runs.start[i]) * runs.depth[i];
    }
    let mean = 0;
    for (const binMean of region.mean) mean += binMean / 10;
    equal(Math.round(mean * length), sum);
  },
  'writes the depth as bigWig': async () => {
    const target = new BigWigMemory();
    const writer = new BigWigWriter(target, { references: [{ name: 'chr1', length: 1000 }] });
    await writer.write({ referenceId: 0, length: 2, start: [0, 10], end: [10, 25], value: [3, 4.5] });
    equal(await writer.finish(), target.bytes.length);
  },
  'estimates the depth from an index': () => {
    const { records } = estimateDepth(parseBinningIndex(files['straddle.bam.bai']), {
      referenceId: 0,
      start: 0,
      end: 2 ** 29,
      bins: 1,
    });
    equal(records[0] > 0, true);
  },
};
