// Regions for queries, the same each time: { referenceId, start, end }, in bases, 0-based and half-open.
import { createRandom } from '../random.mjs';
import { REFERENCES } from './references.mjs';

/** Returns regions of one width on the first reference. */
export function regionsOnOneReference(count, width) {
  const random = createRandom(11);
  return Array.from({ length: count }, () => regionWithin(0, { random, width }));
}

/** Returns regions of one width on random references, except the short one. */
export function regionsOnRandomReferences(count, width) {
  const random = createRandom(12);
  return Array.from({ length: count }, () => regionWithin(random() % (REFERENCES.length - 1), { random, width }));
}

/** Returns one region on each reference. */
export function regionOnEachReference(width) {
  const random = createRandom(13);
  return REFERENCES.map((_, referenceId) => regionWithin(referenceId, { random, width }));
}

/** Returns regions of one base up to a whole chromosome, reference by reference. */
export function regionsOfAllWidths(countOnEach) {
  const random = createRandom(14);
  return REFERENCES.flatMap((_, referenceId) =>
    Array.from({ length: countOnEach }, () => {
      const width = Math.ceil(2 ** ((28 * random()) / 2 ** 32));
      return regionWithin(referenceId, { random, width });
    }),
  );
}

function regionWithin(referenceId, { random, width }) {
  const { length } = REFERENCES[referenceId];
  const start = random() % Math.max(1, length - width);
  return { referenceId, start: avoidLastBase(start), end: Math.min(length, start + width) };
}

/**
 * No region begins at the last base of a bin: @gmod/tabix then leaves out that bin and its records, so that its answers
 * cannot be compared.
 */
function avoidLastBase(start) {
  return start % 2 ** 14 === 2 ** 14 - 1 ? start - 1 : start;
}
