import { createCatalogue, createRefgetHandler, openFasta } from '@htskit/refget';
import { memorySource } from '@htskit/storage/memory';
import { equal } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';

const { sequences, slices } = expected['genome.fa.gz'];

async function createHandler() {
  const opened = await openFasta({
    data: memorySource(files['genome.fa.gz'], { version: '1' }),
    fai: memorySource(files['genome.fa.gz.fai']),
    gzi: memorySource(files['genome.fa.gz.gzi']),
    circular: new Set(['chrM']),
  });
  return createRefgetHandler({ catalogue: createCatalogue(opened) });
}

export const checks = {
  'answers parts of sequences by their digests': async () => {
    const handler = await createHandler();
    for (const { name, start, end, bases } of slices) {
      const { md5 } = sequences.find((sequence) => sequence.name === name);
      const response = await handler(new Request(`http://localhost/sequence/${md5}?start=${start}&end=${end}`));
      equal([response.status, await response.text()], [200, bases.toUpperCase()]);
    }
  },
  'answers metadata': async () => {
    const handler = await createHandler();
    const { sha512t24u, md5, length } = sequences[0];
    const response = await handler(new Request(`http://localhost/sequence/ga4gh:${sha512t24u}/metadata`));
    const { metadata } = await response.json();
    equal([metadata.md5, metadata.length], [md5, length]);
  },
};
