import { httpSource } from '@htskit/storage/http';
import { memorySource } from '@htskit/storage/memory';
import { files } from '../fixtures.mjs';
import { ETAG } from './file-answer.mjs';
import { longBam, stallingBam } from './long-bam.mjs';

/** Returns a source of a fixture that knows its version. */
export function fixtureSource(name) {
  return memorySource(files[name], { key: name, version: '1' });
}

function stored(format, name, index) {
  return { format, data: fixtureSource(name), index: fixtureSource(`${name}.${index}`) };
}

const reads = [stored('BAM', 'straddle.bam', 'bai')];
const OBJECTS = {
  straddle: reads,
  private: reads,
  longref: [stored('BAM', 'longref.bam', 'csi')],
  multiref: [stored('CRAM', 'multiref.cram', 'crai')],
  variants: [stored('VCF', 'variants.vcf.gz', 'tbi'), stored('BCF', 'variants.bcf', 'csi')],
  long: [{ format: 'BAM', data: longBam() }],
  stalling: [{ format: 'BAM', data: stallingBam() }],
};

/**
 * Finds the objects of the service at `origin` by the beginning of their ids; a client appends something unique, to
 * recognise its downloads. Besides the objects above there are `located`, which clients fetch from `/files`, and
 * `remote`, which the service reads from there.
 */
export function createResolve(origin) {
  return async (id) => {
    const [name, own] = id.split(/-(.*)/);
    if (name === 'located') return [locatedAt(origin)];
    if (name === 'remote') return [remoteAt(origin, own)];
    return OBJECTS[name];
  };
}

/** Locates ranges that the store delivers itself, as long as the file has this version. */
function locatedAt(origin) {
  const location = { url: `${origin}/files/straddle.bam`, headers: { 'If-Match': ETAG } };
  return { ...reads[0], locate: async () => location };
}

/** Each client has another URL, so that nothing about it is cached. */
function remoteAt(origin, own) {
  const [data, index] = ['straddle.bam', 'straddle.bam.bai'].map((name) =>
    httpSource(`${origin}/files/${name}?${own}`),
  );
  return { format: 'BAM', data, index };
}
