// The regions of the tickets, the same each time.
import { REFERENCES } from '../indexes/references.mjs';
import { createRandom } from '../random.mjs';

const WIDTH = 10_000;

/** A region whose ticket has the usual length. */
export const TYPICAL = { referenceName: 'chr1', start: 50_000_000, end: 50_000_000 + WIDTH };

/** Returns regions anywhere in the genome. */
export function randomRegions(count) {
  const random = createRandom(17);
  return Array.from({ length: count }, () => {
    const { name: referenceName, length } = REFERENCES[random() % REFERENCES.length];
    const start = random() % Math.max(1, length - WIDTH);
    return { referenceName, start, end: start + WIDTH };
  });
}

export function toTicketPath(region) {
  return `/reads/genome?${new URLSearchParams(region)}`;
}
