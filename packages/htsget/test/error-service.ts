import { StorageError } from '@htskit/io';
import type { Datatype } from '@htskit/protocol';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { createHtsgetHandler, type HtsgetOptions, type StoredFile } from '../src/index.js';
import { fixtureFile } from './fixture-files.js';
import { type Handler, PUBLIC_URL } from './read-ticket.js';

/** A source whose every call fails. */
function failing(code: 'NOT_FOUND' | 'UNAVAILABLE') {
  const fail = (): never => {
    throw new StorageError(code, 'of the store', { key: 'secret', isTransient: code === 'UNAVAILABLE' });
  };
  return {
    ...memorySource(new Uint8Array(0)),
    key: 'secret',
    stat: async () => fail(),
    read: async () => fail(),
    stream: fail,
  };
}

function corruptIndex(): Uint8Array {
  const index = readFixture('reads.bam.bai');
  new DataView(index.buffer, index.byteOffset).setUint32(4, 0xffffffff, true);
  return index;
}

const bam = fixtureFile('reads-csi.bam');
const sample = [bam, fixtureFile('multiref.cram')];

const objects: Readonly<Record<Datatype, Readonly<Record<string, readonly StoredFile[]>>>> = {
  reads: {
    sample,
    guarded: sample,
    'cohort/a/b': sample,
    'bam-only': [bam],
    'cram-only': [fixtureFile('reads.cram')],
    long: [fixtureFile('reads.bam')],
    'corrupt-index': [{ ...fixtureFile('reads.bam'), index: memorySource(corruptIndex()) }],
    'corrupt-data': [{ ...bam, data: memorySource(new Uint8Array(100)) }],
    'lost-index': [{ ...bam, index: failing('NOT_FOUND') }],
    'lost-data': [{ ...bam, data: failing('NOT_FOUND') }],
    unavailable: [{ ...bam, data: failing('UNAVAILABLE') }],
    'authorizer-fails': sample,
  },
  variants: { sample: [fixtureFile('variants-csi.vcf.gz')], 'bcf-only': [fixtureFile('variants.bcf')] },
};

const authorize: NonNullable<HtsgetOptions['authorize']> = ({ request, id }) => {
  if (id === 'authorizer-fails') throw new Error('of the authorizer, with a secret');
  if (!id.startsWith('guarded')) return 'all';
  switch (request.headers.get('authorization')) {
    case null:
      return 'unauthenticated';
    case 'Bearer region':
      return { regions: [{ referenceName: 'chr1', start: 1000, end: 2000 }] };
    default:
      return 'forbidden';
  }
};

/** The service that answers the error table. */
export function errorHandler(): Handler {
  return createHtsgetHandler({
    publicUrl: PUBLIC_URL,
    authorize,
    onError: () => undefined,
    resolve: async (id, datatype) => {
      if (id === 'resolver-fails') throw new Error('of the resolver, with a secret');
      return Object.hasOwn(objects[datatype], id) ? objects[datatype][id] : undefined;
    },
    limits: { postBodyBytes: 2000, regions: 4, blocks: 6, blockBytes: 70_000 },
  });
}
