import { createCramDecoder } from '@htskit/formats';
import { deferred, fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { type ContainerWorkers, openOnWorkers, openReference } from '../../src/internal.js';

const cram = fixturePath('reads.cram');
const reference = await openReference(fixturePath('genome.fa'));

/** Reads all records, joined. */
async function readAll(workers?: ContainerWorkers): Promise<Buffer> {
  const file = await openOnWorkers(cram, { reference, workers });
  const pieces: Uint8Array[] = [];
  for await (const piece of file.recordBytes()) pieces.push(piece);
  await file.close();
  return Buffer.concat(pieces);
}

test('containers are decoded ahead, at most as many as workers take, and come in the order of the file', async () => {
  const offsets: number[] = [];
  let [inProgress, most] = [0, 0];
  let last = deferred<void>();
  const workers: ContainerWorkers = {
    ahead: 3,
    async decode({ header, blocks, offset }, setting) {
      offsets.push(offset);
      most = Math.max(most, ++inProgress);
      // The first of three waits for the others.
      if (inProgress === 1) await last.promise;
      else if (inProgress === 3) last.resolve();
      const pieces: Uint8Array[] = [];
      const decoder = createCramDecoder({ ...setting, reference });
      for await (const piece of decoder.decode(blocks, { header, offset })) pieces.push(piece);
      inProgress--;
      last = deferred();
      last.resolve();
      return pieces;
    },
  };
  expect((await readAll(workers)).equals(await readAll())).toBe(true);
  expect(offsets.length).toBeGreaterThan(3);
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
  expect(most).toBe(3);
});

test('containers that workers do not decode are decoded by the caller', async () => {
  let count = 0;
  const decode = async (): Promise<undefined> => void count++;
  expect((await readAll({ ahead: 2, decode })).equals(await readAll())).toBe(true);
  expect(count).toBeGreaterThan(3);
});
