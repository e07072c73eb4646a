import { createMd5, type Hasher } from '@htskit/digest';
import type { Ticket } from '@htskit/protocol';
import { toHex } from '../resource/replay-filter.js';
import type { Transport } from '../transport/transport.js';
import { FileEnd } from './file-end.js';
import type { ResumeOptions, StreamSettings } from './stream-options.js';

/** Checks a whole file: the MD5 of its ticket, and its end. Parts of files pass. */
export class DownloadVerifier {
  readonly #ticket: Ticket;
  readonly #transport: Transport;
  readonly #end: FileEnd | undefined;
  readonly #hasher: Hasher | undefined;

  constructor(ticket: Ticket, transport: Transport, { class: blockClass, verifyEnd, resume }: StreamSettings) {
    this.#ticket = ticket;
    this.#transport = transport;
    const isWhole = blockClass === undefined && (resume === undefined || resume.received !== undefined);
    this.#end = isWhole && verifyEnd ? new FileEnd(ticket.htsget.format) : undefined;
    this.#hasher = isWhole && ticket.htsget.md5 !== undefined ? createMd5() : undefined;
  }

  add(chunk: Uint8Array): void {
    this.#end?.push(chunk);
    this.#hasher?.update(chunk);
  }

  /** Adds what an earlier process received. Throws INVALID_QUERY where it is not as long as the state says. */
  async addReceived({ state, received }: ResumeOptions): Promise<void> {
    if (received === undefined) return;
    let bytes = 0;
    for await (const chunk of received) {
      this.add(chunk);
      bytes += chunk.length;
    }
    if (bytes === state.bytes) return;
    const message = `the state is one of ${state.bytes} bytes, ${bytes} were received`;
    throw this.#transport.createError('INVALID_QUERY', message);
  }

  /** Throws DIGEST_MISMATCH, or TRUNCATED for a file without its end. */
  finish(): void {
    const { md5 } = this.#ticket.htsget;
    if (this.#hasher !== undefined && toHex(this.#hasher.digest()) !== md5) {
      throw this.#transport.createError('DIGEST_MISMATCH', 'the bytes have another MD5 than the ticket says');
    }
    if (this.#end?.isWhole() !== false) return;
    const { format } = this.#ticket.htsget;
    throw this.#transport.createError('TRUNCATED', `the ${format} file does not end with an EOF marker`);
  }
}
