/** A slice of a CRAM file on one reference: a line of a CRAI index (CRAM 3.1 §12). */
export interface CraiSlice {
  /** Rank of the reference in the header; −1 for records without one, −2 for references that the index does not tell. */
  readonly referenceId: number;
  /** 1-based as in the file; 0 if there is none. */
  readonly alignmentStart: number;
  /** Bases. */
  readonly alignmentSpan: number;
  /** Where the header of the slice's container begins in the CRAM file, in bytes. */
  readonly containerStart: number;
  /** Bytes from the end of the container's header to the slice: its landmark. */
  readonly sliceOffset: number;
  /** Bytes of the slice with its header. */
  readonly sliceSize: number;
}

/** Writes the text of a CRAI index, as htslib does. */
export function formatCrai(slices: Iterable<CraiSlice>): string {
  let text = '';
  for (const slice of slices) {
    const { referenceId, alignmentStart, alignmentSpan, containerStart, sliceOffset, sliceSize } = slice;
    text += `${referenceId}\t${alignmentStart}\t${alignmentSpan}\t${containerStart}\t${sliceOffset}\t${sliceSize}\n`;
  }
  return text;
}

/** Slices whose text is made at once. */
const BATCH_LENGTH = 1024;

/** The CRAI index as a file has it. */
export async function gzipCrai(slices: Iterable<CraiSlice>): Promise<Uint8Array<ArrayBuffer>> {
  // A text of all lines might be longer than a string can be
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
 * Compresses the text of a CRAI index to one member of gzip. BGZF would not do, which has several: htslib 1.16 reads no
 * further than the first, and says nothing.
 */
export async function gzipCraiText(parts: (string | Uint8Array<ArrayBuffer>)[]): Promise<Uint8Array<ArrayBuffer>> {
  const text = new Blob(parts);
  return new Uint8Array(await new Response(text.stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
}
