import type { Datatype, HtsgetFormat } from '@htskit/protocol';

/** What was answered, for metrics and logs: no URL, header or token is in it. */
export type HtsgetEvent = TicketEvent | BlockEvent | CacheEvent;

export interface TicketEvent {
  readonly type: 'ticket';
  readonly datatype: Datatype;
  readonly id: string;
  readonly format: HtsgetFormat;
  /** Blocks of the ticket. */
  readonly blocks: number;
  /** Bytes of the stored object behind its block URLs, about. */
  readonly plannedBytes: number;
  readonly milliseconds: number;
}

export interface BlockEvent {
  readonly type: 'block';
  readonly datatype: Datatype;
  readonly id: string;
  readonly format: HtsgetFormat;
  /** Bytes of the stored object behind what was asked for, about. */
  readonly plannedBytes: number;
  /** Bytes that were sent. */
  readonly bytes: number;
  /** Whether the block was sent to its end. */
  readonly isComplete: boolean;
  readonly milliseconds: number;
}

/** A header of a file, an index, or where a block begins was looked for among those that are kept. */
export interface CacheEvent {
  readonly type: 'cache';
  readonly cache: 'header' | 'index' | 'boundary';
  /** Also of one that is still being loaded for somebody else. */
  readonly isHit: boolean;
}
