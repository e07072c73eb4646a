// A coordinate-sorted BGZF file of a whole genome as its index sees it: which bytes hold the records of each bin. Nothing
// but the index is made of it.
import { createRandom } from '../random.mjs';
import { REFERENCES } from './references.mjs';

/** Bases of a window of the linear index, and of a bin of the deepest level. */
export const WINDOW_SPAN = 2 ** 14;
/** Uncompressed bytes of a BGZF block, as htslib fills it. */
const BLOCK_LENGTH = 65_280;
/** The first bin of each level, from the deepest, with how many windows a bin spans, as a power of two. */
const LEVELS = [
  [4681, 0],
  [585, 3],
  [73, 6],
  [9, 9],
  [1, 12],
  [0, 15],
];
/** References with more windows than this have telomeres and a centromere, in which no record lies. */
const MIN_WINDOWS_WITH_GAPS = 1000;

/** Reads of 150 bases, 30 of them over each base. */
export const ALIGNMENTS = { seed: 1, recordsPerWindow: 3277, recordLength: 340, crossing: 30, blockSize: 17_200 };
/** A variant in 18 bases, some of them deletions that reach into the next window. */
export const VARIANTS = { seed: 2, recordsPerWindow: 983, recordLength: 800, crossing: 0.3, blockSize: 9000 };

/**
 * Makes the file: `references`, each with its bins (number to flat list of starts and ends of chunks), the first record of
 * each window, and where each window's own records begin; all as positions in the uncompressed data. `locate` gives the
 * virtual offset of a position. `crossing` is how many records of a window reach into the next one, in the mean.
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
    // Reads differ in length, so that one that stays may follow one that reaches over.
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

/** The smallest bin over a window and the next one (SAMv1 §5.3). */
function binOver(window) {
  const [first, shift] = LEVELS.find(([, shift]) => window >> shift === (window + 1) >> shift);
  return first + (window >> shift);
}

/** As htslib does, a chunk that begins in the block in which the one before ends is joined to it. */
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
