import { toNodeListener } from '@htskit/adapters/node';
import { createCatalogue, createRefgetHandler, type RefgetOptions } from '@htskit/refget';
import { openFasta } from '@htskit/sequences';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { listen } from '../listen.js';

/** The origin of a refget service of the fixture genome, whose chrM is circular. */
export async function fixtureService(options: Partial<RefgetOptions> = {}): Promise<string> {
  const sequences = await openFasta({
    data: memorySource(readFixture('genome.fa'), { version: '1' }),
    fai: memorySource(readFixture('genome.fa.fai')),
    circular: new Set(['chrM']),
  });
  const handler = createRefgetHandler({ catalogue: createCatalogue(sequences), ...options });
  return listen(toNodeListener(handler));
}
