import { type FileCatalogueOptions, fileCatalogue } from '@htskit/catalogue';
import { type CoverageOptions, createCoverageHandler } from '@htskit/coverage/handler';
import { createDrsHandler } from '@htskit/drs';
import { createHtsgetHandler } from '@htskit/htsget';
import { type ByteSource, StorageError } from '@htskit/io';
import { RefgetError } from '@htskit/protocol';
import {
  createCatalogue,
  createCollectionCatalogue,
  createRefgetHandler,
  type RefgetOptions,
  type SequenceCollection,
  sequenceCollection,
} from '@htskit/refget';
import { createSeqRepoHandler } from '@htskit/refget/seqrepo';
import { type NamedSequence, openFasta } from '@htskit/sequences';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { dispatch, type FetchHandler } from '../../dispatch.js';

export interface DocumentedService {
  readonly handler: FetchHandler;
  readonly sequences: readonly NamedSequence[];
  readonly collection: SequenceCollection;
}

/** A source that fails whenever it is read. */
function failing(key: string, isTransient: boolean): ByteSource {
  const fail = (): never => {
    throw new StorageError('UNAVAILABLE', 'it cannot be read', { key, isTransient });
  };
  return { key, stat: async () => fail(), read: async () => fail(), stream: fail };
}

/** Both protocols with their fixtures: `private` needs a token, and no client may read `forbidden`. */
export async function createDocumentedService(publicUrl: string): Promise<DocumentedService> {
  const fasta = (): ByteSource => memorySource(readFixture('crlf.fa'));
  const sequences = await openFasta({ data: fasta(), namingAuthority: 'insdc' });
  const collection = await sequenceCollection(sequences);
  const objects: Pick<CoverageOptions, 'authorize' | 'resolve'> & { onError(): void } = {
    authorize: ({ id }) => (id === 'private' ? 'unauthenticated' : id === 'forbidden' ? 'forbidden' : 'all'),
    resolve: (id, datatype) => Promise.resolve(resolve(id, datatype)),
    onError: () => undefined,
  };
  const htsget = createHtsgetHandler({ publicUrl, ...objects, limits: { postBodyBytes: 1000 } });
  const summary = memorySource(new Uint8Array(99), { key: 'summary', version: '1' });
  const coverage = createCoverageHandler({ ...objects, summaries: { find: async () => summary } });
  const shared: Pick<RefgetOptions, 'authorize' | 'catalogue' | 'onError'> = {
    catalogue: createCatalogue(sequences),
    onError: () => undefined,
    authorize({ request }) {
      const token = request.headers.get('authorization');
      if (token === 'Bearer expired') throw new RefgetError('Unauthorized', 'a valid bearer token is required');
      if (token === 'Bearer narrow') throw new RefgetError('Forbidden', 'the token does not permit this');
      return 'all';
    },
  };
  const refget = createRefgetHandler({
    ...shared,
    collections: createCollectionCatalogue([collection]),
    limits: { collectionBodyBytes: 1000 },
    circularSupported: false,
  });
  const seqrepo = createSeqRepoHandler(shared);
  const files = fileCatalogue({
    objects: { resolve: objects.resolve as FileCatalogueOptions['objects']['resolve'] },
    sequences: {
      find: (identifier) => shared.catalogue.find(identifier),
      collections: createCollectionCatalogue([collection]),
    },
    publicUrl,
    authorizeHtsget: objects.authorize,
  });
  const drs = createDrsHandler({ ...files, publicUrl, onError: () => undefined, limits: { bodyBytes: 1000 } });
  return { handler: dispatch({ htsget, refget, seqrepo, coverage, drs }), sequences, collection };
}

function resolve(id: string, datatype: 'reads' | 'variants') {
  if (id === 'unavailable') return [{ format: datatype === 'reads' ? 'BAM' : 'VCF', data: failing(id, true) } as const];
  if (id === 'broken') return [{ format: datatype === 'reads' ? 'BAM' : 'VCF', data: failing(id, false) } as const];
  if (id !== 'a') return undefined;
  return datatype === 'reads'
    ? [
        {
          format: 'BAM',
          data: memorySource(readFixture('reads.bam'), { key: 'reads.bam', version: '1' }),
          index: memorySource(readFixture('reads.bam.bai'), { key: 'reads.bam.bai', version: '1' }),
        } as const,
      ]
    : [
        {
          format: 'VCF',
          data: memorySource(readFixture('variants.vcf.gz'), { key: 'variants.vcf.gz', version: '1' }),
          index: memorySource(readFixture('variants.vcf.gz.tbi'), { key: 'variants.vcf.gz.tbi', version: '1' }),
        } as const,
      ];
}
