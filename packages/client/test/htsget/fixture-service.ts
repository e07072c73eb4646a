import { toNodeListener } from '@htskit/adapters/node';
import { createHtsgetHandler, type HtsgetOptions, type StoredFile } from '@htskit/htsget';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { listen } from '../listen.js';

function stored(format: StoredFile['format'], name: string, index: string): StoredFile {
  return {
    format,
    data: memorySource(readFixture(name), { key: name, version: '1' }),
    index: memorySource(readFixture(index), { key: index, version: '1' }),
  };
}

/** The objects of the service, by id. */
const OBJECTS: Readonly<Record<string, readonly StoredFile[]>> = {
  'lab/sample 1': [stored('BAM', 'reads.bam', 'reads.bam.bai'), stored('CRAM', 'reads.cram', 'reads.cram.crai')],
  variants: [
    stored('VCF', 'variants.vcf.gz', 'variants.vcf.gz.tbi'),
    stored('BCF', 'variants.bcf', 'variants.bcf.csi'),
  ],
};

export const READS = 'lab/sample 1';

/** The origin of an htsget service of some fixtures. */
export async function fixtureService(options: Partial<HtsgetOptions> = {}): Promise<string> {
  let listener: ReturnType<typeof toNodeListener> | undefined;
  const origin = await listen((request, response) => listener?.(request, response));
  const resolve = async (id: string): Promise<readonly StoredFile[] | undefined> => OBJECTS[id];
  listener = toNodeListener(createHtsgetHandler({ publicUrl: origin, resolve, onError: () => undefined, ...options }));
  return origin;
}
