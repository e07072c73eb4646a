import { ByteCursor } from '../byte-cursor.js';
import { CramDecodeBudget } from '../container/block.js';
import { visitRecordSpans } from './record-spans.js';
import { selectPositions } from './series-selection.js';
import { openSliceSeries } from './slice-series.js';
import type { CramContainerSource } from './slice-spans.js';
import { readCompressionBlock, StoredSlice } from './stored-slice.js';

/**
 * Returns whether decoding the first slice of a container takes bases that the file does not embed. `bytes` are the blocks of the
 * container, which follow its header. Throws `FormatError` `INVALID_DATA`, `TRUNCATED`, `UNSUPPORTED` and `LIMIT_EXCEEDED`.
 */
export function needsReference(
  bytes: Uint8Array,
  { version, header, offset = 0, budget = new CramDecodeBudget() }: CramContainerSource,
): boolean {
  const [landmark, nextLandmark] = header.landmarks;
  if (landmark === undefined) return false;
  budget.earn(bytes.length);
  const compression = readCompressionBlock(new ByteCursor(bytes, offset), { version, budget });
  const slice = new StoredSlice(new ByteCursor(bytes.subarray(0, nextLandmark), offset), landmark, { version, budget });
  const { referenceId, embeddedReferenceId } = slice.header;
  const isEmbedded = embeddedReferenceId >= 0;
  if (referenceId === -1 || !(compression.needsReference || isEmbedded)) return false;
  if (referenceId !== -2) return !isEmbedded;
  let isPlaced = false;
  const series = openSliceSeries(selectPositions(compression), slice);
  visitRecordSpans({ slice, compression, series }, (id, start) => {
    isPlaced ||= id >= 0 && start > 0;
  });
  return isPlaced;
}
