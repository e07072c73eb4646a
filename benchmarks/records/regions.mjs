// Measures a panel of regions of one file, which is opened once and answers one region after another.
import { gmodPeer } from '../gmod.mjs';
import { race, throughputRows } from '../harness.mjs';
import { createRandom } from '../random.mjs';

const COUNT = 100;
const REGION_BASES = 1000;

/**
 * Returns a row for the records of random regions of one reference. `ours` and `peer` are functions of the regions that yield a
 * text for each record, which must be equal.
 */
export async function measurePanel({ format, length, ours, peer, peerNames }) {
  const random = createRandom(11);
  const regions = Array.from({ length: COUNT }, () => {
    const start = random() % Math.max(1, length - REGION_BASES);
    return { referenceName: 'chr1', start, end: start + REGION_BASES };
  });
  const contenders = [
    { name: 'ours', run: () => ours(regions) },
    { name: peerNames.map(gmodPeer).join(' + '), run: () => peer(regions) },
  ];
  const work = { name: `${format}, ${COUNT} regions of 1 kb`, unit: 'regions/s', amount: COUNT };
  return throughputRows({ ...work, budgets: [{ budget: null }] }, await race(contenders, { rounds: 5 }));
}

/** Yields a text for each record of regions of a file of `@htskit/records`. */
export async function* ourPanel(file, regions, toText) {
  for (const region of regions) for await (const record of file.records(region)) yield toText(record);
  await file.close();
}
