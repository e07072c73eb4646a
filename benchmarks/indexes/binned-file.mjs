// Models a coordinate-sorted BGZF file of a whole genome as its index sees it: the byte ranges of the records of each
// bin. Only the index is written.
import { createRandom } from '../random.mjs';
import { REFERENCES } from './references.mjs';

/** Bases of a window of the linear index, and of a bin of the deepest level. */
export const WINDOW_SPAN = 2 ** 14;
/** Uncompressed bytes of a BGZF block, as htslib fills it. */
const BLOCK_LENGTH = 65_280;
/** The first bin of each level, from the deepest, with the number of windows that a bin spans as a power of two. */
const LEVELS = [
  [4681, 0],
  [585, 3],
  [73, 6],
  [9, 9],
  [1, 12],
  [0, 15],
];
/** References with more windows than this have telomeres and a centromere, which hold no records. */
const MIN_WINDOWS_WITH_GAPS = 1000;

/** Reads of 150 bases at 30-fold coverage. */
export const ALIGNMENTS = { seed: 1, recordsPerWindow: 3277, recordLength: 340, crossing: 30, blockSize: 17_200 };
/** A variant every 18 bases, some of them deletions that reach into the next window. */
export const VARIANTS = { seed: 2, recordsPerWindow: 983, recordLength: 800, crossing: 0.3, blockSize: 9000 };

/**
 * Builds the model. `references` has, for each reference, its bins (number to flat list of starts and ends of chunks),
 * the first record of each window, and where the records of each window begin, all as positions in the uncompressed
 * data. `locate` returns the virtual offset of a position. `crossing` is the mean number of records of a window that
 * reach into the next one.
 */
export function makeBinnedFile({ seed, blockSize, ...habits }) {
  const random = createRandom(seed);
  const fraction = () => random() / 2 ** 32;
  const references = [];
  let position = 3000;
  for (const { length } of REFERENCES) {
    const reference = makeReference({ length, position, fraction, ...habits });
    references.push(reference);
    position = reference.end;
  }
  return { references, locate: createLocate(position, { blockSize, fraction }) };
}

function makeReference({ length, position, fraction, recordsPerWindow, recordLength, crossing }) {
  const windowCount = Math.ceil(length / WINDOW_SPAN);
  const reference = { bins: new Map(), windows: [], ownStarts: [], recordCount: 0, start: position, end: position };
  let reachingBytes = 0;
  for (let window = 0; window < windowCount; window += 1) {
    reference.ownStarts.push(reference.end);
    if (isGap(window, windowCount)) {
      reference.windows.push(reference.windows.at(-1));
      reachingBytes = 0;
      continue;
    }
    reference.windows.push(reference.end - reachingBytes);
    const count = Math.max(2, Math.round(recordsPerWindow * (0.75 + fraction() / 2)));
    const reaching = window + 1 === windowCount ? 0 : countReaching(crossing, fraction);
    const next = reference.end + count * recordLength;
    reachingBytes = reaching * recordLength;
    addChunk(reference.bins, LEVELS[0][0] + window, reference.end, next - reachingBytes);
    if (reaching > 0) addChunk(reference.bins, binOver(window), next - reachingBytes, next);
    // Reads differ in length, so one that stays in the window may follow one that crosses into the next.
    if (reaching > 1 && fraction() < 0.15) {
      addChunk(reference.bins, LEVELS[0][0] + window, next - recordLength, next);
    }
    reference.recordCount += count;
    reference.end = next;
  }
  reference.ownStarts.push(reference.end);
  return reference;
}

function isGap(window, windowCount) {
  if (windowCount < MIN_WINDOWS_WITH_GAPS) return false;
  return window === 0 || window === windowCount - 1 || (window > 0.4 * windowCount && window < 0.43 * windowCount);
}

function countReaching(crossing, fraction) {
  return crossing < 1 ? Number(fraction() < crossing) : Math.round(crossing * (0.5 + fraction()));
}

/** Returns the smallest bin over a window and the next one (SAMv1 §5.3). */
function binOver(window) {
  const [first, shift] = LEVELS.find(([, shift]) => window >> shift === (window + 1) >> shift);
  return first + (window >> shift);
}

/** Adds a chunk to a bin. As in htslib, one that begins in the block in which the previous one ends is joined to it. */
function addChunk(bins, number, start, end) {
  const chunks = bins.get(number);
  if (chunks === undefined) bins.set(number, [start, end]);
  else if (blockOf(start) <= blockOf(chunks.at(-1))) chunks[chunks.length - 1] = end;
  else chunks.push(start, end);
}

function blockOf(position) {
  return Math.floor(position / BLOCK_LENGTH);
}

function createLocate(end, { blockSize, fraction }) {
  const coffsets = [0];
  for (let block = 0; block <= blockOf(end); block += 1) {
    coffsets.push(coffsets.at(-1) + Math.round(blockSize * (0.9 + 0.2 * fraction())));
  }
  return (position) => ({ coffset: coffsets[blockOf(position)], uoffset: position % BLOCK_LENGTH });
}
