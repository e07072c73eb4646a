import type { StoredFile } from '@htskit/htsget';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { type CoverageDocument, type CoverageOptions, createCoverageHandler } from '../../src/handler/index.js';

export const BASE = 'http://localhost/coverage';

const source = (name: string) => memorySource(readFixture(name), { key: name, version: '1' });

/** The objects by datatype and id. */
const OBJECTS: Readonly<Record<string, StoredFile>> = {
  'reads/bam': { format: 'BAM', data: source('reads.bam'), index: source('reads.bam.bai') },
  'reads/cram': { format: 'CRAM', data: source('reads.cram'), index: source('reads.cram.crai') },
  'reads/no-index': { format: 'BAM', data: source('reads.bam') },
  'variants/vcf': { format: 'VCF', data: source('variants.vcf.gz'), index: source('variants.vcf.gz.tbi') },
  'variants/bcf': { format: 'BCF', data: source('variants.bcf'), index: source('variants.bcf.csi') },
};

export type Handler = (request: Request) => Promise<Response>;

export function createHandler(options: Partial<CoverageOptions> = {}): Handler {
  return createCoverageHandler({
    resolve: async (id, datatype) => {
      const file = OBJECTS[`${datatype}/${id}`];
      return file && [file];
    },
    ...options,
  });
}

/** Returns the answer to a GET. */
export async function fetchBins(handler: Handler, path: string): Promise<CoverageDocument> {
  const response = await handler(new Request(`${BASE}/${path}`));
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as CoverageDocument;
}
