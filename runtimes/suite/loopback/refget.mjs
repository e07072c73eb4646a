import { RefgetClient } from '@htskit/client';
import { createRefgetHandler } from '@htskit/refget';
import { openSequenceStore } from '@htskit/sequences';
import { s3ObjectStore } from '@htskit/storage/s3';
import { equal, failsWith, readAll } from '../check.mjs';
import { expected } from '../fixtures.mjs';

const { sequences, slices } = expected['genome.fa.gz'];
const text = new TextDecoder();

/** Checks of a client of the service at `origin`. The same service is at `other`. */
export function checksOf({ origin, other }) {
  const client = new RefgetClient({ servers: [origin] });
  return {
    'reads whole sequences, and verifies them': async () => {
      for (const { md5, sha512t24u, length } of sequences) {
        equal((await client.sequence(md5)).length, length);
        equal((await readAll(await client.stream(sha512t24u))).length, length);
      }
    },
    'reads slices': async () => {
      for (const { name, start, end, bases } of slices) {
        const { md5 } = sequences.find((sequence) => sequence.name === name);
        equal(text.decode(await client.sequence(md5, { start, end })), bases.toUpperCase());
      }
    },
    'reads across the origin of a circular sequence, which is found by its name': async () => {
      const { length } = sequences.find(({ name }) => name === 'chrM');
      const wrapped = await client.sequence('suite:chrM', { start: length - 9, end: 9 });
      const parts = [
        await client.sequence('suite:chrM', { start: length - 9 }),
        await client.sequence('suite:chrM', { end: 9 }),
      ];
      equal(text.decode(wrapped), parts.map((part) => text.decode(part)).join(''));
    },
    'reads metadata and service-info': async () => {
      const { md5, sha512t24u, length } = sequences[0];
      const metadata = await client.metadata(sha512t24u);
      equal([metadata.md5, metadata.length], [md5, length]);
      equal((await client.serviceInfo()).isCircularSupported, true);
    },
    'asks the next server if one sends other bases': async () => {
      const [{ md5, length }, { md5: another }] = sequences;
      const fetchOther = (url, init) => fetch(url.startsWith(other) ? url.replace(md5, another) : url, init);
      const lying = new RefgetClient({ servers: [other], fetch: fetchOther });
      await failsWith('DIGEST_MISMATCH', () => lying.sequence(md5));
      const both = new RefgetClient({ servers: [other, origin], fetch: fetchOther });
      equal((await both.sequence(md5)).length, length);
    },
    'reads slices from a store in a bucket': async () => {
      const credentials = { accessKeyId: 'anybody', secretAccessKey: 'anything' };
      const store = s3ObjectStore({ bucket: 'sequences', endpoint: origin, forcePathStyle: true, credentials });
      const handler = createRefgetHandler({ catalogue: await openSequenceStore(store) });
      for (const { name, start, end, bases } of slices) {
        const { md5 } = sequences.find((sequence) => sequence.name === name);
        const response = await handler(new Request(`http://localhost/sequence/${md5}?start=${start}&end=${end}`));
        equal(await response.text(), bases.toUpperCase());
      }
      const byName = await handler(new Request('http://localhost/sequence/suite:chrM?start=16560&end=9'));
      equal((await byName.text()).length, 18);
    },
    'reads a collection by its digest': async () => {
      const { results } = await (await fetch(`${origin}/list/collection`)).json();
      const collection = await (await fetch(`${origin}/collection/${results[0]}`)).json();
      equal(
        collection.names,
        sequences.map(({ name }) => name),
      );
      equal(
        collection.sequences,
        sequences.map(({ sha512t24u }) => sha512t24u),
      );
    },
  };
}
