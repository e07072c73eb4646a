import { EOF_MARKER } from '@htskit/bgzf';
import { endsWithEofMarker } from '@htskit/bgzf/internal';
import { createMd5, type Hasher } from '@htskit/digest';
import { cramEofContainer } from '@htskit/formats/internal';
import { concatBytes, toHex } from '@htskit/io';
import type { HtsgetFormat, Ticket } from '@htskit/protocol';
import { HtsgetClientError } from '../client-error.js';
import type { ResumeOptions, StreamSettings } from './stream-options.js';

/** Checks a whole file against the MD5 of its ticket, and for its EOF marker. Parts of files pass. */
export class DownloadVerifier {
  readonly #ticket: Ticket;
  readonly #end: FileEnd | undefined;
  readonly #hasher: Hasher | undefined;

  constructor(ticket: Ticket, { class: blockClass, verifyEnd, resume }: StreamSettings) {
    this.#ticket = ticket;
    const isWhole = blockClass === undefined && (resume === undefined || resume.received !== undefined);
    this.#end = isWhole && verifyEnd ? new FileEnd(ticket.htsget.format) : undefined;
    this.#hasher = isWhole && ticket.htsget.md5 !== undefined ? createMd5() : undefined;
  }

  add(chunk: Uint8Array): void {
    this.#end?.push(chunk);
    this.#hasher?.update(chunk);
  }

  /** Adds the bytes that an earlier process received. Throws INVALID_QUERY unless they are as many as the state says. */
  async addReceived({ state, received }: ResumeOptions): Promise<void> {
    if (received === undefined) return;
    let bytes = 0;
    for await (const chunk of received) {
      this.add(chunk);
      bytes += chunk.length;
    }
    if (bytes === state.bytes) return;
    const message = `the resume state covers ${state.bytes} bytes, but \`received\` has ${bytes}`;
    throw new HtsgetClientError('INVALID_QUERY', message);
  }

  /** Throws DIGEST_MISMATCH, or TRUNCATED for a file without its EOF marker. */
  finish(): void {
    const { md5, format } = this.#ticket.htsget;
    if (this.#hasher !== undefined && toHex(this.#hasher.digest()) !== md5) {
      throw new HtsgetClientError('DIGEST_MISMATCH', 'the MD5 of the bytes differs from that of the ticket');
    }
    if (this.#end?.isWhole() !== false) return;
    throw new HtsgetClientError('TRUNCATED', `the ${format} file does not end with an EOF marker`);
  }
}

/** Bytes at the start and at the end of a file that show whether it is whole. */
const EDGE_BYTES = 64;
/** BGZF: gzip with an extra field (SAMv1 §4.1). */
const BGZF_START = EOF_MARKER.subarray(0, 4);

/** Keeps both ends of a file as it streams by. */
class FileEnd {
  readonly #format: HtsgetFormat;
  #start: Uint8Array = new Uint8Array();
  #end: Uint8Array = new Uint8Array();

  constructor(format: HtsgetFormat) {
    this.#format = format;
  }

  push(chunk: Uint8Array): void {
    const missing = EDGE_BYTES - this.#start.length;
    if (missing > 0) this.#start = concatBytes([this.#start, chunk.subarray(0, missing)]);
    this.#end = concatBytes([this.#end, chunk.subarray(-EDGE_BYTES)]).slice(-EDGE_BYTES);
  }

  /** Returns false for a truncated file, and true for formats without an EOF marker: text, gzip, CRAM 2.0. */
  isWhole(): boolean {
    switch (this.#format) {
      case 'VCFTEXT':
        return true;
      case 'CRAM':
        return endsWith(this.#end, cramEnd(this.#start));
      case 'VCF':
        return !BGZF_START.every((byte, i) => byte === this.#start[i]) || endsWithEofMarker(this.#end);
      case 'BAM':
      case 'BCF':
        return endsWithEofMarker(this.#end);
    }
  }
}

/** Returns the EOF container of a CRAM file that begins with these bytes. The version follows the magic (CRAM 3.1 §6). */
function cramEnd(start: Uint8Array): Uint8Array {
  const [major, minor] = start.subarray(4);
  return cramEofContainer({ major: major === 2 ? 2 : 3, minor: minor === 0 ? 0 : 1 });
}

function endsWith(bytes: Uint8Array, end: Uint8Array): boolean {
  const start = bytes.length - end.length;
  return start >= 0 && end.every((byte, i) => bytes[start + i] === byte);
}
