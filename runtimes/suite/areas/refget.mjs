import {
  compareCollections,
  createCatalogue,
  createCollectionCatalogue,
  createRefgetHandler,
  joinCatalogues,
  planSubsequence,
  sequenceCollection,
  toComparedCollection,
} from '@htskit/refget';
import { importFasta, openFasta, openSequenceStore, openTwoBit, parseAliasTable, verifyStore } from '@htskit/sequences';
import { memorySource, memoryStore } from '@htskit/storage/memory';
import { equal, failsWith } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';
import { TWO_BIT } from '../two-bit.mjs';

const { sequences, slices } = expected['genome.fa.gz'];
const data = memorySource(files['genome.fa.gz'], { version: '1' });

function openGenome(options = {}) {
  return openFasta({
    data,
    fai: memorySource(files['genome.fa.gz.fai']),
    gzi: memorySource(files['genome.fa.gz.gzi']),
    circular: new Set(['chrM']),
    ...options,
  });
}

async function createHandler() {
  return createRefgetHandler({ catalogue: createCatalogue(await openGenome()) });
}

function ask(handler, path, headers = {}) {
  return handler(new Request(`http://localhost${path}`, { headers }));
}

async function checkSlices(handler) {
  for (const { name, start, end, bases } of slices) {
    const { md5 } = sequences.find((sequence) => sequence.name === name);
    const response = await ask(handler, `/sequence/${md5}?start=${start}&end=${end}`);
    equal([response.status, await response.text()], [200, bases.toUpperCase()]);
  }
}

export const checks = {
  'answers parts of sequences by their digests': async () => checkSlices(await createHandler()),
  'answers whole sequences, ranges and other media types': async () => {
    const handler = await createHandler();
    const { md5, trunc512, length } = sequences[0];
    const whole = await (await ask(handler, `/sequence/trunc512:${trunc512}`)).text();
    equal(whole.length, length);
    const part = await ask(handler, `/sequence/${md5}`, { range: 'bytes=10-19' });
    equal([part.status, await part.text()], [206, whole.slice(10, 20)]);
    const json = await ask(handler, `/sequence/${md5}?start=10&end=20`, { accept: 'application/json' });
    equal((await json.json()).sequence, whole.slice(10, 20));
    const fasta = await ask(handler, `/sequence/${md5}?start=10&end=20`, { accept: 'text/x-fasta' });
    equal((await fasta.text()).split('\n')[1], whole.slice(10, 20));
  },
  'answers metadata': async () => {
    const handler = await createHandler();
    const { sha512t24u, md5, length } = sequences[0];
    const { metadata } = await (await ask(handler, `/sequence/ga4gh:${sha512t24u}/metadata`)).json();
    equal([metadata.md5, metadata.length], [md5, length]);
  },
  'answers impossible requests with an error': async () => {
    const handler = await createHandler();
    const { md5, length } = sequences[0];
    const statuses = {
      [`/sequence/${'0'.repeat(32)}`]: 404,
      [`/sequence/${md5}?start=${length}&end=${length}`]: 416,
      [`/sequence/${md5}?start=-1`]: 400,
    };
    for (const [path, status] of Object.entries(statuses)) equal((await ask(handler, path)).status, status);
    equal((await ask(handler, `/sequence/${md5}`, { accept: 'image/png' })).status, 406);
  },
  'stores sequences, verifies and serves them': async () => {
    const store = memoryStore();
    const summary = await importFasta({ store, data, namingAuthority: 'suite', circular: new Set(['chrM']) });
    equal([summary.records, summary.stored], [sequences.length, sequences.length]);
    equal((await importFasta({ store, data })).stored, 0);
    const { sequences: verified, findings } = await verifyStore(store, { onFinding: () => undefined });
    equal([verified, findings], [sequences.length, 0]);
    const handler = createRefgetHandler({ catalogue: await openSequenceStore(store) });
    await checkSlices(handler);
    const { length } = sequences.find(({ name }) => name === 'chrM');
    equal((await (await ask(handler, `/sequence/suite:chrM?start=${length - 5}&end=4`)).text()).length, 9);
  },
  'finds damage in a store': async () => {
    const store = memoryStore();
    await importFasta({ store, data: memorySource(new TextEncoder().encode('>a\nACGTACGTACGT\n')) });
    for await (const key of store.list('sequences/')) {
      const bytes = await store.source(key).read({ start: 0, end: 1_000 });
      bytes[bytes.length - 1] ^= 0xff;
      await store.put(key, bytes);
    }
    const found = [];
    await verifyStore(store, { onFinding: ({ key }) => found.push(key.split('/')[0]) });
    equal(found, ['sequences']);
  },
  'serves sequences of a 2bit file': async () => {
    const opened = await openTwoBit({ data: memorySource(TWO_BIT, { version: '1' }), namingAuthority: 'suite' });
    const handler = createRefgetHandler({ catalogue: createCatalogue(opened) });
    equal(await (await ask(handler, '/sequence/suite:a?start=1')).text(), 'CGTNNAC');
    await failsWith('DIGEST_MISMATCH', () =>
      openTwoBit({ data: memorySource(TWO_BIT), expected: new Map([['a', '0'.repeat(32)]]) }),
    );
  },
  'caches digests, and then skips the pass over the file': async () => {
    let kept;
    const digestCache = {
      load: async () => kept,
      save: async (chunks) => {
        kept = new Uint8Array(await new Blob([...chunks]).arrayBuffer());
      },
      onError: (error) => {
        throw error;
      },
    };
    await openGenome({ digestCache });
    const progress = [];
    const [{ metadata }] = await openGenome({ digestCache, onProgress: (step) => progress.push(step) });
    equal([metadata.md5, progress.length], [sequences[0].md5, 0]);
  },
  'finds sequences of several catalogues, also by the aliases of a table': async () => {
    const aliases = parseAliasTable(new TextEncoder().encode('chr2\tNC_2\trefseq\n'));
    const opened = await openGenome({ aliases });
    const catalogue = joinCatalogues([createCatalogue(opened.slice(0, 1)), createCatalogue(opened.slice(1))]);
    const handler = createRefgetHandler({ catalogue });
    equal((await (await ask(handler, '/sequence/refseq:NC_2')).text()).length, sequences[1].length);
  },
  'digests and compares collections': async () => {
    const opened = await openGenome();
    const [genome, part] = await Promise.all([sequenceCollection(opened), sequenceCollection(opened.slice(0, 2))]);
    const { array_elements: elements } = await compareCollections(
      toComparedCollection(genome),
      toComparedCollection(part),
    );
    equal([elements.a_count.names, elements.a_and_b_count.names], [sequences.length, 2]);
    const collections = createCollectionCatalogue([genome, part]);
    const handler = createRefgetHandler({ catalogue: createCatalogue(opened), collections });
    const found = await (await ask(handler, `/collection/${genome.digest}`)).json();
    equal(
      found.names,
      sequences.map(({ name }) => name),
    );
    const posted = { method: 'POST', body: JSON.stringify(found), headers: { 'content-type': 'application/json' } };
    const compared = await handler(new Request(`http://localhost/comparison/${genome.digest}`, posted));
    equal((await compared.json()).array_elements.a_and_b_count.names, sequences.length);
  },
  'plans parts that wrap': () => {
    const rules = { length: 10, circular: true, circularSupported: true, subsequenceLimit: 0, rangeOutOfBounds: 400 };
    equal(planSubsequence({ start: 8, end: 2, range: null }, rules).intervals, [
      { start: 8, end: 10 },
      { start: 0, end: 2 },
    ]);
  },
};
