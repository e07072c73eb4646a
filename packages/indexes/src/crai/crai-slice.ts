/** A line of a CRAI index: one slice of a CRAM file on one reference (CRAM 3.1 §12). */
export interface CraiSlice {
  /** Index of the reference in the header. −1 for records without a reference, −2 for a slice of unknown references. */
  readonly referenceId: number;
  /** 1-based position, as in the file. 0 if there is none. */
  readonly alignmentStart: number;
  /** Length on the reference in bases. */
  readonly alignmentSpan: number;
  /** Offset of the slice's container header in the CRAM file, in bytes. */
  readonly containerStart: number;
  /** Bytes from the end of the container header to the slice: its landmark. */
  readonly sliceOffset: number;
  /** Bytes of the slice, including its header. */
  readonly sliceSize: number;
}

/**
 * Formats the text of a CRAI index as htslib does.
 *
 * @example
 * const text = formatCrai(parseCrai(bytes).slices());
 */
export function formatCrai(slices: Iterable<CraiSlice>): string {
  let text = '';
  for (const slice of slices) {
    const { referenceId, alignmentStart, alignmentSpan, containerStart, sliceOffset, sliceSize } = slice;
    text += `${referenceId}\t${alignmentStart}\t${alignmentSpan}\t${containerStart}\t${sliceOffset}\t${sliceSize}\n`;
  }
  return text;
}

/** Slices that are formatted at once. */
const BATCH_LENGTH = 1024;

/**
 * Returns a CRAI index as it is stored: gzipped text.
 *
 * @example
 * writeFileSync('reads.cram.crai', await gzipCrai(slices));
 */
export async function gzipCrai(slices: Iterable<CraiSlice>): Promise<Uint8Array<ArrayBuffer>> {
  // The text of all lines could exceed the maximum length of a string.
  const texts: string[] = [];
  let batch: CraiSlice[] = [];
  for (const slice of slices) {
    batch.push(slice);
    if (batch.length < BATCH_LENGTH) continue;
    texts.push(formatCrai(batch));
    batch = [];
  }
  return gzipCraiText([...texts, formatCrai(batch)]);
}

/**
 * Compresses the text of a CRAI index to a single gzip member. BGZF has several members, and htslib 1.16 silently reads only
 * the first.
 */
export async function gzipCraiText(parts: (string | Uint8Array<ArrayBuffer>)[]): Promise<Uint8Array<ArrayBuffer>> {
  const text = new Blob(parts);
  return new Uint8Array(await new Response(text.stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
}
