import { createMd5 } from '@htskit/digest';
import type { Ticket } from '@htskit/protocol';
import { HtsgetClientError } from '../client-error.js';
import { toHex } from '../resource/replay-filter.js';
import { rangeHeader } from '../resource/resource.js';
import type { ResourceAnswer } from '../resource/resource-reader.js';
import { isJsonObject } from '../transport/json-object.js';

import { isDataUri } from './data-uri.js';
import type { BlockPosition } from './plan-parts.js';

/** What was received of one block. */
export interface ReceivedBlock extends ResourceAnswer {
  readonly bytes: number;
  readonly isComplete: boolean;
}

/**
 * What was received of an answer, as plain JSON. With a new ticket for the same query a later process goes on from here.
 * It holds only what can be shown to be the same then: inline blocks, and blocks whose answers carry a validator.
 */
export interface ResumeState {
  /** Digest of what all tickets of one answer have in common: everything but the URLs, and headers other than Range. */
  readonly shape: string;
  /** Bytes of all blocks: a file that holds more is cut to this length. */
  readonly bytes: number;
  /** Rank after rank from the ticket's first block. All but the last are complete. */
  readonly blocks: readonly ReceivedBlock[];
}

/** Keeps account of what is given out. */
export class Received {
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

  /** Where the next byte comes from. */
  get position(): BlockPosition {
    return { rank: this.completeBlocks, byte: this.#blocks[this.completeBlocks]?.bytes ?? 0 };
  }

  /** Bytes of the block of this rank, which is the last one or the next. */
  add(rank: number, bytes: number, answer: ResourceAnswer = {}): void {
    const known = this.#blocks[rank];
    this.#bytes += bytes;
    this.#blocks[rank] = { ...known, ...answer, bytes: (known?.bytes ?? 0) + bytes, isComplete: false };
  }

  complete(rank: number): void {
    this.#blocks[rank] = { bytes: 0, ...this.#blocks[rank], isComplete: true };
  }

  /** With the blocks up to the first that nothing shows to be the same later. */
  toState({ htsget: { urls } }: Ticket, shape: string): ResumeState {
    const unprovable = this.#blocks.findIndex(
      ({ validator }, rank) => validator === undefined && !isDataUri(urls[rank]?.url ?? ''),
    );
    const blocks = this.#blocks.slice(0, unprovable < 0 ? undefined : unprovable);
    return { shape, bytes: blocks.reduce((sum, { bytes }) => sum + bytes, 0), blocks };
  }
}

/** What tickets of the same answer have in common. URLs are not: they carry signatures that differ each time. */
export function ticketShape({ htsget: { format, md5, urls } }: Ticket): string {
  const blocks = urls.map((block) => {
    const isInline = isDataUri(block.url);
    return [block.class ?? null, isInline ? block.url : null, isInline ? null : (rangeHeader(block) ?? '')];
  });
  const hasher = createMd5();
  hasher.update(new TextEncoder().encode(JSON.stringify([format, md5 ?? null, blocks])));
  return toHex(hasher.digest());
}

/** Checks a state that was stored as JSON. Throws INVALID_QUERY for what is none. */
export function parseResumeState(value: unknown): ResumeState {
  const invalid = (): HtsgetClientError => new HtsgetClientError('INVALID_QUERY', 'this is no state of a download');
  if (!isJsonObject(value) || typeof value['shape'] !== 'string' || !Array.isArray(value['blocks'])) throw invalid();
  const blocks = value['blocks'].map((block: unknown, rank, { length }): ReceivedBlock => {
    if (!isJsonObject(block)) throw invalid();
    const { bytes, isComplete, validator, totalBytes } = block;
    if (!isCount(bytes) || typeof isComplete !== 'boolean' || (!isComplete && rank < length - 1)) throw invalid();
    if (validator !== undefined && typeof validator !== 'string') throw invalid();
    if (totalBytes !== undefined && !isCount(totalBytes)) throw invalid();
    return {
      bytes,
      isComplete,
      ...(validator !== undefined && { validator }),
      ...(totalBytes !== undefined && { totalBytes }),
    };
  });
  if (blocks.reduce((sum, { bytes }) => sum + bytes, 0) !== value['bytes']) throw invalid();
  return { shape: value['shape'], bytes: value['bytes'], blocks };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
