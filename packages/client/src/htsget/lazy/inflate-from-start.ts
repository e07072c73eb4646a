import { RangeInflater } from '@htskit/bgzf/internal';

const WHOLE_FILE = { start: { coffset: 0, uoffset: 0 }, end: { coffset: Number.MAX_SAFE_INTEGER, uoffset: 0 } };

/** Creates an inflater for the blocks of a file of unknown length. */
export function inflateFromStart(): RangeInflater {
  return new RangeInflater(WHOLE_FILE);
}
