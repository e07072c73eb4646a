import { createMd5 } from '@htskit/digest';
import { toHex } from '@htskit/io';
import type { Ticket } from '@htskit/protocol';
import { HtsgetClientError } from '../client-error.js';
import { isJsonObject } from '../document.js';
import { rangeHeader } from '../resource/resource.js';
import type { ResourceAnswer } from '../resource/resource-reader.js';
import { isDataUri } from './parse-ticket.js';
import type { BlockPosition } from './plan-parts.js';

/** The received bytes of one block. */
export interface ReceivedBlock extends ResourceAnswer {
  readonly bytes: number;
  readonly isComplete: boolean;
}

/**
 * The progress of a download, as plain JSON. With a new ticket for the same query, a later process continues from here. It
 * covers only blocks that can be shown to be the same then: inline blocks, and those whose responses have a validator.
 */
export interface ResumeState {
  /** Digest of what all tickets of one answer share: everything but the URLs and the headers other than Range. */
  readonly shape: string;
  /** Bytes of all blocks. A longer file must be cut to this length. */
  readonly bytes: number;
  /** The blocks from the ticket's first on. All but the last are complete. */
  readonly blocks: readonly ReceivedBlock[];
}

/** Records the bytes that a download has delivered. */
export class DownloadLedger {
  readonly #blocks: ReceivedBlock[];
  #bytes: number;

  constructor(state?: ResumeState) {
    this.#blocks = [...(state?.blocks ?? [])];
    this.#bytes = state?.bytes ?? 0;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get blocks(): readonly ReceivedBlock[] {
    return this.#blocks;
  }

  get completeBlocks(): number {
    return this.#blocks.length - (this.#blocks.at(-1)?.isComplete === false ? 1 : 0);
  }

  /** Position of the next byte. */
  get position(): BlockPosition {
    return { index: this.completeBlocks, byte: this.#blocks[this.completeBlocks]?.bytes ?? 0 };
  }

  /** Adds bytes of the last recorded block, or of the next one. */
  add(index: number, bytes: number, answer: ResourceAnswer = {}): void {
    const known = this.#blocks[index];
    this.#bytes += bytes;
    this.#blocks[index] = { ...known, ...answer, bytes: (known?.bytes ?? 0) + bytes, isComplete: false };
  }

  complete(index: number): void {
    this.#blocks[index] = { bytes: 0, ...this.#blocks[index], isComplete: true };
  }

  /** Returns the state of the blocks before the first one without a validator. */
  toState({ htsget: { urls } }: Ticket, shape: string): ResumeState {
    const unprovable = this.#blocks.findIndex(
      ({ validator }, index) => validator === undefined && !isDataUri(urls[index]?.url ?? ''),
    );
    const blocks = this.#blocks.slice(0, unprovable < 0 ? undefined : unprovable);
    return { shape, bytes: blocks.reduce((sum, { bytes }) => sum + bytes, 0), blocks };
  }
}

/** Returns a digest of what tickets of the same answer share. URLs contain signatures that differ each time. */
export function ticketShape({ htsget: { format, md5, urls } }: Ticket): string {
  const blocks = urls.map((block) => {
    const isInline = isDataUri(block.url);
    return [block.class ?? null, isInline ? block.url : null, isInline ? null : (rangeHeader(block) ?? '')];
  });
  const hasher = createMd5();
  hasher.update(new TextEncoder().encode(JSON.stringify([format, md5 ?? null, blocks])));
  return toHex(hasher.digest());
}

/** Checks a state that was stored as JSON. Throws INVALID_QUERY. */
export function parseResumeState(value: unknown): ResumeState {
  const invalid = (): HtsgetClientError => new HtsgetClientError('INVALID_QUERY', 'invalid resume state');
  if (!isJsonObject(value) || typeof value['shape'] !== 'string' || !Array.isArray(value['blocks'])) throw invalid();
  const blocks = value['blocks'].map((block: unknown, index, { length }): ReceivedBlock => {
    if (!isJsonObject(block)) throw invalid();
    const { bytes, isComplete, validator, totalBytes } = block;
    if (!isCount(bytes) || typeof isComplete !== 'boolean' || (!isComplete && index < length - 1)) throw invalid();
    if (validator !== undefined && typeof validator !== 'string') throw invalid();
    if (totalBytes !== undefined && !isCount(totalBytes)) throw invalid();
    return {
      bytes,
      isComplete,
      validator,
      totalBytes,
    };
  });
  if (blocks.reduce((sum, { bytes }) => sum + bytes, 0) !== value['bytes']) throw invalid();
  return { shape: value['shape'], bytes: value['bytes'], blocks };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
