// The regions of the tickets: the same each time.
import { REFERENCES } from '../indexes/references.mjs';
import { createRandom } from '../random.mjs';

const WIDTH = 10_000;

/** One whose ticket is as long as most. */
export const TYPICAL = { referenceName: 'chr1', start: 50_000_000, end: 50_000_000 + WIDTH };

/** Anywhere in the genome. */
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
