import { onAbort } from '@htskit/io';
import type { Ticket } from '@htskit/protocol';
import { ClientError } from '../client-error.js';
import { REFUSED_RANGE_STATUSES, type ResourceAnswer, ResourceReader } from '../resource/resource-reader.js';
import type { Transport } from '../transport/transport.js';
import { BlockTotals } from './block-totals.js';
import { decodeDataUri, isDataUri } from './data-uri.js';
import { DownloadVerifier } from './download-verifier.js';
import { inOrder } from './in-order.js';
import { type BlockPart, blockLength, planParts } from './plan-parts.js';
import { Received, type ResumeState, ticketShape } from './resume-state.js';
import type { StreamSettings } from './stream-options.js';

/** Statuses of a URL that is valid no more, or of a resource that has changed. */
const EXPIRED_STATUSES: readonly number[] = [401, 403, 409, 410, 412];

/** The bytes of one ticket, and of those that take its place. */
export class Download {
  readonly #settings: StreamSettings;
  readonly #transport: Transport;
  readonly #outerSignal: AbortSignal | undefined;
  readonly #controller = new AbortController();
  readonly #received: Received;
  #ticket: Ticket;
  #shape: string;
  #splitBytes: number;
  /** Bytes that were given out when the last new ticket was asked for. */
  #renewedAt = -1;

  constructor(ticket: Ticket, transport: Transport, settings: StreamSettings) {
    this.#ticket = ticket;
    this.#shape = ticketShape(ticket);
    this.#settings = settings;
    this.#outerSignal = transport.signal;
    this.#transport = { ...transport, signal: this.#controller.signal };
    this.#received = new Received(settings.resume?.state);
    this.#splitBytes = settings.splitBytes;
  }

  get state(): ResumeState {
    return this.#received.toState(this.#ticket, this.#shape);
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  async *read(): AsyncGenerator<Uint8Array, void> {
    const { resume } = this.#settings;
    const unlink = onAbort(this.#outerSignal, (reason) => this.abort(reason));
    try {
      let check = new DownloadVerifier(this.#ticket, this.#transport, this.#settings);
      if (resume !== undefined) {
        await check.addReceived(resume);
        await this.#proveReceived(resume.state.shape);
      }
      for (let isDone = false; !isDone; ) {
        // Another ticket may have taken the place of the first one before any byte was given out.
        if (this.#received.blocks.length === 0)
          check = new DownloadVerifier(this.#ticket, this.#transport, this.#settings);
        isDone = yield* this.#deliverOrRecover(check);
      }
      check.finish();
    } finally {
      unlink();
    }
  }

  /** Whether all was given out. */
  async *#deliverOrRecover(check: DownloadVerifier): AsyncGenerator<Uint8Array, boolean> {
    try {
      for await (const chunk of this.#deliver()) {
        check.add(chunk);
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
    const attempt = new AbortController();
    const unlink = onAbort(this.#controller.signal, (reason) => attempt.abort(reason));
    const answers = new Map<number, ResourceAnswer>();
    const totals = new BlockTotals(urls);
    const open = (part: BlockPart): AsyncGenerator<Uint8Array, void> =>
      this.#open(part, answers, { ...this.#transport, signal: attempt.signal });
    const parts = planParts(urls, this.#received.position, this.#splitBytes);
    try {
      for await (const { item, chunk } of inOrder(parts, open, { concurrency, bytesAhead })) {
        const { rank, isLast } = item;
        const answer = answers.get(rank);
        this.#received.add(rank, chunk?.length ?? 0, answer);
        if (chunk === undefined && isLast) this.#received.complete(rank);
        const { bytes, completeBlocks: blocks } = this.#received;
        onProgress?.({ bytes, blocks, totalBlocks: urls.length, totalBytes: totals.sumWith(rank, answer?.totalBytes) });
        if (chunk !== undefined) yield chunk;
      }
    } finally {
      unlink();
      attempt.abort();
    }
  }

  #open(part: BlockPart, answers: Map<number, ResourceAnswer>, transport: Transport): AsyncGenerator<Uint8Array, void> {
    const { rank, resource, start } = part;
    if (isDataUri(resource.url)) return single(decodeDataUri(resource.url).subarray(start));
    const { validator, totalBytes } = (start > 0 ? this.#received.blocks[rank] : undefined) ?? {};
    const onAnswer = (answer: ResourceAnswer): void => {
      const known = answers.get(rank)?.validator ?? validator;
      if (known !== undefined && answer.validator !== undefined && known !== answer.validator) {
        throw transport.createError('CHANGED', 'the parts of a block come from two versions of it');
      }
      answers.set(rank, { ...answers.get(rank), ...answer });
    };
    return new ResourceReader(part, { transport, validator, totalBytes, onAnswer }).read();
  }

  /** Resolves where it makes sense to go on, with what was changed for it. */
  async #recover(error: unknown): Promise<void> {
    this.#controller.signal.throwIfAborted();
    if (!(error instanceof ClientError)) throw error;
    // What refuses parts may send the whole.
    if (this.#splitBytes !== Infinity && REFUSED_RANGE_STATUSES.includes(error.status ?? 0)) {
      this.#splitBytes = Infinity;
      return;
    }
    if (!EXPIRED_STATUSES.includes(error.status ?? 0)) throw error;
    const { renew } = this.#settings;
    const { bytes } = this.#received;
    // Once for each piece that was got: a long download outlives several tickets, a refusal would be the same for ever.
    if (renew === undefined || this.#renewedAt === bytes) {
      const { message, status, error: name } = error;
      throw this.#transport.createError('EXPIRED', `a block cannot be had: ${message}`, {
        status,
        error: name,
        cause: error,
      });
    }
    this.#renewedAt = bytes;
    this.#splitBytes = this.#settings.splitBytes;
    const shape = this.#shape;
    this.#ticket = await renew(this.#controller.signal);
    this.#shape = ticketShape(this.#ticket);
    if (this.#received.blocks.length > 0) await this.#proveReceived(shape);
  }

  /**
   * Shows that the ticket leads to the bytes that were received before: it is of the same shape, and each block answers
   * with the validator that it had. Throws CHANGED where that is not so.
   */
  async #proveReceived(shape: string): Promise<void> {
    const { createError } = this.#transport;
    if (this.#shape !== shape) throw createError('CHANGED', 'the ticket is one of another answer');
    const checks = this.#received.blocks.flatMap((received, rank) => {
      const block = this.#ticket.htsget.urls[rank];
      return block === undefined || isDataUri(block.url) ? [] : [{ received, rank, block }];
    });
    for (let at = 0; at < checks.length; at += this.#settings.concurrency) {
      const group = checks.slice(at, at + this.#settings.concurrency);
      await Promise.all(
        group.map(({ received: { validator, totalBytes }, rank, block }) => {
          if (validator === undefined) throw createError('CHANGED', `nothing shows that block ${rank} is the same`);
          const part = { resource: block, start: 0, end: blockLength(block), isSplit: false };
          return new ResourceReader(part, { transport: this.#transport, validator, totalBytes }).check();
        }),
      );
    }
  }
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  if (bytes.length > 0) yield bytes;
}
