import { conform, isConforming } from '@htskit/conform';
import { createHtsgetHandler } from '@htskit/htsget';
import { memorySource } from '@htskit/storage/memory';
import { equal } from '../check.mjs';
import { files } from '../fixtures.mjs';

const sourceOf = (name) => memorySource(files[name], { key: name, version: '1' });

export const checks = {
  'checks a service': async () => {
    const handler = createHtsgetHandler({
      publicUrl: 'http://localhost',
      resolve: async () => [{ format: 'BAM', data: sourceOf('straddle.bam'), index: sourceOf('straddle.bam.bai') }],
    });
    const report = await conform('http://localhost', {
      reads: ['straddle'],
      only: ['htsget.data.decodes', 'htsget.regions.complete'],
      fetch: (url, init) => handler(new Request(url, init)),
    });
    equal(isConforming(report), true);
    equal(report.results.filter(({ outcome }) => outcome === 'pass').length, 2);
  },
};
