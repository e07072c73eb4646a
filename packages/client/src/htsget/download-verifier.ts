import { endsWithEofMarker } from '@htskit/bgzf/internal';
import { createMd5, type Hasher } from '@htskit/digest';
import { cramEofContainer } from '@htskit/formats/internal';
import { concatBytes, toHex } from '@htskit/io';
import type { HtsgetFormat, Ticket } from '@htskit/protocol';
import { HtsgetClientError } from '../client-error.js';
import { FileStart } from './file-start.js';
import type { ResumeOptions, StreamSettings } from './stream-options.js';

type VerifierSettings = Pick<StreamSettings, 'class' | 'verifyEnd' | 'isEncrypted' | 'resume'>;

/** Checks that a download is of its format and, if it is a whole file, its MD5 and its EOF marker. Other parts of files pass. */
export class DownloadVerifier {
  readonly #ticket: Ticket;
  readonly #start: FileStart | undefined;
  readonly #end: FileEnd | undefined;
  readonly #hasher: Hasher | undefined;

  constructor(ticket: Ticket, { class: blockClass, verifyEnd, isEncrypted, resume }: VerifierSettings) {
    const { format, md5 } = ticket.htsget;
    this.#ticket = ticket;
    const isFromStart = resume === undefined || resume.received !== undefined;
    const isWhole = blockClass === undefined && isFromStart;
    this.#start = blockClass !== 'body' && isFromStart ? new FileStart(isEncrypted ? 'Crypt4GH' : format) : undefined;
    this.#end = isWhole && verifyEnd && !isEncrypted ? new FileEnd() : undefined;
    this.#hasher = isWhole && md5 !== undefined ? createMd5() : undefined;
  }

  /** Adds the next bytes. Throws WRONG_FORMAT if they cannot be of the format that the ticket announces. */
  async add(chunk: Uint8Array): Promise<void> {
    await this.#start?.push(chunk);
    this.#end?.push(chunk);
    this.#hasher?.update(chunk);
  }

  /** Adds the bytes that an earlier process received. Throws INVALID_QUERY unless they are as many as the state says. */
  async addReceived({ state, received }: ResumeOptions): Promise<void> {
    if (received === undefined) return;
    let bytes = 0;
    for await (const chunk of received) {
      await this.add(chunk);
      bytes += chunk.length;
    }
    if (bytes === state.bytes) return;
    const message = `the resume state covers ${state.bytes} bytes, but \`received\` has ${bytes}`;
    throw new HtsgetClientError('INVALID_QUERY', message);
  }

  /** Throws DIGEST_MISMATCH, or TRUNCATED for a file without its header or its EOF marker. */
  finish(): void {
    const { md5, format } = this.#ticket.htsget;
    if (this.#hasher !== undefined && toHex(this.#hasher.digest()) !== md5) {
      throw new HtsgetClientError('DIGEST_MISMATCH', 'the MD5 of the bytes differs from that of the ticket');
    }
    this.#start?.finish();
    if (this.#start === undefined || this.#end === undefined || isWhole(format, this.#start, this.#end)) return;
    throw new HtsgetClientError('TRUNCATED', `the ${format} file does not end with an EOF marker`);
  }
}

/** More bytes than an EOF marker has. */
const END_BYTES = 64;

/** Keeps the end of a file as it streams by. */
class FileEnd {
  #bytes: Uint8Array = new Uint8Array();

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  push(chunk: Uint8Array): void {
    this.#bytes = concatBytes([this.#bytes, chunk.subarray(-END_BYTES)]).slice(-END_BYTES);
  }
}

/** Returns false for a truncated file, and true for formats without an EOF marker: text, gzip, CRAM 2.0. */
function isWhole(format: HtsgetFormat, start: FileStart, { bytes: end }: FileEnd): boolean {
  switch (format) {
    case 'SAM':
    case 'VCFTEXT':
      return true;
    case 'CRAM':
      return endsWith(end, cramEnd(start.bytes));
    case 'VCF':
      return !start.isBgzf || endsWithEofMarker(end);
    case 'BAM':
    case 'BCF':
      return endsWithEofMarker(end);
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
