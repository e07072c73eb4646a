import { EOF_MARKER, endsWithEofMarker } from '@htskit/bgzf';
import { cramEofContainer } from '@htskit/formats';
import type { HtsgetFormat } from '@htskit/protocol';
import { concat } from '../transport/concat.js';

/** Bytes of the start and of the end of a file that tell whether it is whole. */
const EDGE_BYTES = 64;
/** BGZF: gzip with an extra field (SAMv1 §4.1). */
const BGZF_START = EOF_MARKER.subarray(0, 4);

/** Watches a file pass by, and tells whether it ends as its format has it. */
export class FileEnd {
  readonly #format: HtsgetFormat;
  #start = new Uint8Array();
  #end = new Uint8Array();

  constructor(format: HtsgetFormat) {
    this.#format = format;
  }

  push(chunk: Uint8Array): void {
    const missing = EDGE_BYTES - this.#start.length;
    if (missing > 0) this.#start = concat([this.#start, chunk.subarray(0, missing)]);
    this.#end = concat([this.#end, chunk.subarray(-EDGE_BYTES)]).slice(-EDGE_BYTES);
  }

  /** False for a file that was cut off. True for formats that have no mark of their end: text, gzip, CRAM 2.0. */
  isWhole(): boolean {
    switch (this.#format) {
      case 'VCFTEXT':
        return true;
      case 'CRAM':
        return endsWith(this.#end, cramEnd(this.#start));
      case 'VCF':
        return !BGZF_START.every((byte, at) => byte === this.#start[at]) || endsWithEofMarker(this.#end);
      case 'BAM':
      case 'BCF':
        return endsWithEofMarker(this.#end);
    }
  }
}

/** The end of a CRAM file that begins so; the version stands behind the magic (CRAM 3.1 §6). */
function cramEnd(start: Uint8Array): Uint8Array {
  const [major, minor] = start.subarray(4);
  return cramEofContainer({ major: major === 2 ? 2 : 3, minor: minor === 0 ? 0 : 1 });
}

function endsWith(bytes: Uint8Array, end: Uint8Array): boolean {
  const start = bytes.length - end.length;
  return start >= 0 && end.every((byte, at) => bytes[start + at] === byte);
}
