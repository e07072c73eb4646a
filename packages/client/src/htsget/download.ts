import type { Transport } from '@htskit/http';
import { onAbort } from '@htskit/io/internal';
import type { Ticket } from '@htskit/protocol';
import { ClientError, HtsgetClientError } from '../client-error.js';
import { REFUSED_RANGE_STATUSES, type ResourceAnswer, ResourceReader } from '../resource/resource-reader.js';
import { DownloadVerifier } from './download-verifier.js';
import { inOrder } from './in-order.js';
import { decodeDataUri, isDataUri } from './parse-ticket.js';
import { type BlockPart, BlockTotals, blockLength, planParts } from './plan-parts.js';
import { DownloadLedger, type ResumeState, ticketShape } from './resume-state.js';
import type { StreamSettings } from './stream-options.js';

/** Statuses of an expired URL, or of a resource that has changed. */
const EXPIRED_STATUSES: readonly number[] = [401, 403, 409, 410, 412];

/** Delivers the bytes of one ticket, and of the tickets that replace it. */
export class Download {
  readonly #settings: StreamSettings;
  readonly #transport: Transport;
  /** Aborts the requests in progress. Each attempt has another one: to chain signals takes longer than to create them. */
  #controller = new AbortController();
  #aborted: { readonly reason: unknown } | undefined;
  readonly #ledger: DownloadLedger;
  #ticket: Ticket;
  /** Digest of the ticket, which only resumed and renewed downloads need. */
  #knownShape: string | undefined;
  #splitBytes: number;
  /** Bytes that were delivered when the last new ticket was requested. */
  #renewedAt = -1;

  constructor(ticket: Ticket, transport: Transport, settings: StreamSettings) {
    this.#ticket = ticket;
    this.#settings = settings;
    this.#transport = transport;
    this.#ledger = new DownloadLedger(settings.resume?.state);
    this.#splitBytes = settings.splitBytes;
  }

  get state(): ResumeState {
    return this.#ledger.toState(this.#ticket, this.#shape);
  }

  get #shape(): string {
    this.#knownShape ??= ticketShape(this.#ticket);
    return this.#knownShape;
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller.abort(reason);
  }

  /** Returns the transport of the next requests, which `abort` aborts. Throws the reason if the download was aborted before. */
  #begin(): Transport & { readonly signal: AbortSignal } {
    this.#throwIfAborted();
    this.#controller = new AbortController();
    return { ...this.#transport, signal: this.#controller.signal };
  }

  #throwIfAborted(): void {
    if (this.#aborted !== undefined) throw this.#aborted.reason;
  }

  async *read(): AsyncGenerator<Uint8Array, void> {
    const { resume } = this.#settings;
    const stopListening = onAbort(this.#transport.signal, (reason) => this.abort(reason));
    try {
      let verifier = new DownloadVerifier(this.#ticket, this.#settings);
      if (resume !== undefined) {
        await verifier.addReceived(resume);
        await this.#proveReceived(resume.state.shape);
      }
      for (let isDone = false; !isDone; ) {
        // Another ticket may have replaced the first one before any byte was delivered.
        if (this.#ledger.blocks.length === 0) verifier = new DownloadVerifier(this.#ticket, this.#settings);
        isDone = yield* this.#deliverOrRecover(verifier);
      }
      verifier.finish();
    } finally {
      stopListening();
    }
  }

  /** Returns whether everything was delivered. */
  async *#deliverOrRecover(verifier: DownloadVerifier): AsyncGenerator<Uint8Array, boolean> {
    try {
      for await (const chunk of this.#deliver()) {
        await verifier.add(chunk);
        yield chunk;
      }
      return true;
    } catch (error) {
      await this.#recover(error);
      return false;
    }
  }

  async *#deliver(): AsyncGenerator<Uint8Array, void> {
    const { concurrency, bytesAhead, onProgress } = this.#settings;
    const { urls } = this.#ticket.htsget;
    const transport = this.#begin();
    const answers = new Map<number, ResourceAnswer>();
    const totals = new BlockTotals(urls);
    const open = (part: BlockPart): AsyncGenerator<Uint8Array, void> => this.#open(part, answers, transport);
    const parts = planParts(urls, this.#ledger.position, this.#splitBytes);
    try {
      for await (const { item, chunk } of inOrder(parts, open, { concurrency, bytesAhead })) {
        const { index, isLast } = item;
        const answer = answers.get(index);
        this.#ledger.add(index, chunk?.length ?? 0, answer);
        if (chunk === undefined && isLast) this.#ledger.complete(index);
        const { bytes, completeBlocks: blocks } = this.#ledger;
        const totalBytes = totals.sumWith(index, answer?.totalBytes);
        onProgress?.({ bytes, blocks, totalBlocks: urls.length, totalBytes });
        if (chunk !== undefined) yield chunk;
      }
    } finally {
      // Without a reason, `abort` would construct a DOMException.
      this.#controller.abort('done');
    }
  }

  #open(part: BlockPart, answers: Map<number, ResourceAnswer>, transport: Transport): AsyncGenerator<Uint8Array, void> {
    const { index, resource, start } = part;
    if (isDataUri(resource.url)) return single(decodeDataUri(resource.url).subarray(start));
    const { validator, totalBytes } = (start > 0 ? this.#ledger.blocks[index] : undefined) ?? {};
    const onAnswer = (answer: ResourceAnswer): void => {
      const known = answers.get(index)?.validator ?? validator;
      if (known !== undefined && answer.validator !== undefined && known !== answer.validator) {
        throw new HtsgetClientError('CHANGED', `the parts of block ${index} come from two versions of it`);
      }
      answers.set(index, { ...answers.get(index), ...answer });
    };
    return new ResourceReader(part, { transport, validator, totalBytes, onAnswer }).read();
  }

  /** Resolves if the download can continue after a failure, with a new ticket or whole blocks if necessary. */
  async #recover(error: unknown): Promise<void> {
    this.#throwIfAborted();
    if (!(error instanceof ClientError)) throw error;
    // A server that refuses parts may send the whole block.
    if (this.#splitBytes !== Infinity && REFUSED_RANGE_STATUSES.includes(error.status ?? 0)) {
      this.#splitBytes = Infinity;
      return;
    }
    if (!EXPIRED_STATUSES.includes(error.status ?? 0)) throw error;
    const { renew } = this.#settings;
    const { bytes } = this.#ledger;
    // Once without progress: a long download outlives several tickets, but a refusal would repeat forever.
    if (renew === undefined || this.#renewedAt === bytes) throw toExpiredError(error);
    this.#renewedAt = bytes;
    this.#splitBytes = this.#settings.splitBytes;
    const shape = this.#shape;
    this.#ticket = await renew(this.#begin().signal);
    this.#knownShape = undefined;
    if (this.#ledger.blocks.length > 0) await this.#proveReceived(shape);
  }

  /**
   * Shows that the ticket leads to the bytes that were received before: its shape is the same, and each block still has the
   * same validator. Throws CHANGED otherwise.
   */
  async #proveReceived(shape: string): Promise<void> {
    if (this.#shape !== shape) throw new HtsgetClientError('CHANGED', 'the new ticket describes another answer');
    const checks = this.#ledger.blocks.flatMap((received, index) => {
      const block = this.#ticket.htsget.urls[index];
      return block === undefined || isDataUri(block.url) ? [] : [{ received, index, block }];
    });
    const transport = this.#begin();
    for (let start = 0; start < checks.length; start += this.#settings.concurrency) {
      const group = checks.slice(start, start + this.#settings.concurrency);
      await Promise.all(
        group.map(({ received: { validator, totalBytes }, index, block }) => {
          if (validator === undefined) {
            throw new HtsgetClientError('CHANGED', `block ${index} has no ETag or date that shows it to be the same`);
          }
          const part = { resource: block, start: 0, end: blockLength(block), isSplit: false };
          return new ResourceReader(part, { transport, validator, totalBytes }).check();
        }),
      );
    }
  }
}

function toExpiredError(cause: ClientError): HtsgetClientError {
  const { message, status, error } = cause;
  return new HtsgetClientError('EXPIRED', `a block URL has expired: ${message}`, { status, error, cause });
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  if (bytes.length > 0) yield bytes;
}
