import { openHtsget, RefgetClient } from '@htskit/client';
import { equal, readAll, sha256 } from '../check.mjs';
import { expected } from '../fixtures.mjs';
import { readRecords } from '../records.mjs';

/** Checks of what a client reads from the README examples, by package. */
export const checksOf = {
  htsget: ({ origin }) => ({
    'reads a file from the example': async () => {
      const { stream } = await openHtsget({ baseUrl: origin, datatype: 'reads', id: 'NA12878' });
      const { count, body } = readRecords('BAM', await readAll(stream));
      const { recordCount, bodySha256 } = expected['straddle.bam'];
      equal([count, await sha256(body)], [recordCount, bodySha256]);
    },
  }),
  refget: ({ origin }) => ({
    'reads a sequence from the example': async () => {
      const { md5, length } = expected['genome.fa.gz'].sequences[0];
      equal((await new RefgetClient({ servers: [origin] }).sequence(md5)).length, length);
    },
  }),
};
