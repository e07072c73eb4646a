// Models the slices of a CRAM of a whole genome, one in each container, as the index has them (CRAM 3.1 §12).
import { createRandom } from '../random.mjs';
import { REFERENCES } from './references.mjs';

/** Bases that 10 000 reads of 150 bases cover at a depth of 30. */
const SLICE_SPAN = 50_000;
/** Slices whose reads have no reference. */
const UNPLACED = 700;

/**
 * Returns some 62 000 slices { referenceId, start, end, containerStart, sliceOffset, sliceSize }. Bases are 0-based and
 * half-open.
 */
export function makeCramSlices() {
  const random = createRandom(3);
  const between = (low, high) => low + Math.floor(((high - low) * random()) / 2 ** 32);
  const slices = [];
  let containerStart = 26_000;
  const add = (place) => {
    const sliceOffset = between(880, 940);
    const sliceSize = between(280_000, 400_000);
    slices.push({ ...place, containerStart, sliceOffset, sliceSize });
    containerStart += sliceOffset + sliceSize + 26;
  };
  for (const [referenceId, { length }] of REFERENCES.entries()) {
    for (let start = Math.min(10_000, length >> 1); start < length; ) {
      const span = Math.round(SLICE_SPAN * (between(80, 120) / 100));
      // The reads of the next slice begin before all reads of this one have ended.
      add({ referenceId, start, end: Math.min(length, start + span + 600) });
      start += span;
    }
  }
  for (let count = 0; count < UNPLACED; count += 1) add({ referenceId: -1, start: -1, end: -1 });
  return slices;
}

/** Returns the text of the index, some 2.5 MB. */
export function formatCraiText(slices) {
  const lines = slices.map(({ referenceId, start, end, containerStart, sliceOffset, sliceSize }) =>
    [referenceId, start + 1, end - start, containerStart, sliceOffset, sliceSize].join('\t'),
  );
  return `${lines.join('\n')}\n`;
}
