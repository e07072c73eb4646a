import { type CraiIndex, type CraiSlice, formatCrai, parseCrai } from '@htskit/indexes';
import type { ByteSource, ReadOptions } from '@htskit/io';
import { loopTurns } from '@htskit/io/internal';
import { readContainer } from './cram-check.js';
import type { CramFile } from './cram-file.js';
import { toTruncation } from './file-check.js';

/** The maximum number of bytes of the text of an index: 2,000,000 containers. */
const INDEX_BYTES = 2 ** 27;

/**
 * Reads the headers of all containers and returns an index of them, in place of one of their slices. Each container counts as a
 * slice on its reference; one of several references may have records anywhere. Throws `FormatError` TRUNCATED if a container ends
 * after the end of the file, and what the storage and the decoders throw.
 */
export async function indexContainers(
  source: ByteSource,
  { file, ...options }: ReadOptions & { readonly file: CramFile },
): Promise<CraiIndex> {
  const slices: CraiSlice[] = [];
  let at = file.headerBytes.length;
  while (at < file.end) {
    await loopTurns.next();
    const header = await readContainer(source, at, { ...options, file });
    const { headerLength, length, landmarks, referenceId, alignmentStart, alignmentSpan } = header;
    const [sliceOffset] = landmarks;
    // Without a span, a container on a reference may have records anywhere on it.
    const isPlaced = referenceId >= 0 && alignmentSpan > 0 && alignmentStart > 0;
    if (sliceOffset !== undefined) {
      slices.push({
        referenceId,
        alignmentStart: isPlaced ? alignmentStart : 0,
        alignmentSpan: isPlaced ? alignmentSpan : 0,
        containerStart: at,
        sliceOffset,
        sliceSize: length - sliceOffset,
      });
    }
    at += headerLength + length;
  }
  if (at > file.end) {
    throw toTruncation(`a container ends at byte ${at}, past the end of the file (${file.size} bytes)`, file.size);
  }
  return parseCrai(new TextEncoder().encode(formatCrai(slices)), { maxBytes: INDEX_BYTES });
}
