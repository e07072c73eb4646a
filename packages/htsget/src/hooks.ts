import type { Datatype, HtsgetFormat, HtsgetRegion } from '@htskit/protocol';
import { isCorruption, type StoredFormat } from './file/stored-file.js';

/** An object of the service. */
export interface ObjectName {
  readonly datatype: Datatype;
  readonly id: string;
}

/** A completed request or cache lookup, for metrics and logs. Events hold no URL, header or token. */
export type HtsgetEvent = TicketEvent | BlockEvent | CacheEvent | AccessEvent;

export interface TicketEvent extends ObjectName {
  readonly type: 'ticket';
  readonly format: HtsgetFormat;
  /** The stored format that the answer is converted from. Undefined if it is not converted. */
  readonly convertedFrom?: StoredFormat;
  /** Number of blocks in the ticket. */
  readonly blocks: number;
  /** Approximate number of bytes of the stored object that the block URLs are made from. */
  readonly plannedBytes: number;
  readonly milliseconds: number;
}

export interface BlockEvent extends ObjectName {
  readonly type: 'block';
  readonly format: HtsgetFormat;
  /** The stored format that the block is converted from. Undefined if it is not converted. */
  readonly convertedFrom?: StoredFormat;
  /** Approximate number of bytes of the stored object that the requested part is made from. */
  readonly plannedBytes: number;
  /** Number of bytes that were sent. */
  readonly bytes: number;
  /** Whether the block was sent to its end. */
  readonly isComplete: boolean;
  readonly milliseconds: number;
}

/**
 * The one record of a request for a ticket, a block or the coverage of an object, for audits: who was given what. It is emitted for refused and failed
 * requests too, and for a block when its last byte was sent or it was broken off.
 */
export interface AccessEvent {
  readonly type: 'access';
  readonly resource: 'ticket' | 'block' | 'coverage';
  /** Undefined for a block whose URL was not signed by this service or has expired. */
  readonly object: ObjectName | undefined;
  /** Undefined if the request was refused before its format was known. */
  readonly format: HtsgetFormat | undefined;
  /** The regions as requested, or those that a block is filtered to. Undefined for everything, or a whole range. */
  readonly regions: readonly HtsgetRegion[] | undefined;
  /** Whether `authorize` limited the ticket, or that of the block, to some regions. */
  readonly isRestricted: boolean;
  /** The subject that `authorize` named for the ticket. */
  readonly subject: string | undefined;
  /** The visas that `authorize` named for the ticket. */
  readonly visas?: readonly string[] | undefined;
  /** The `X-Request-Id` of the request. */
  readonly requestId: string | undefined;
  readonly status: number;
  /** Number of bytes of a block or of coverage that were sent. For a ticket, of the stored object that its blocks are made from. */
  readonly bytes: number;
  /** Refused: with a 4xx status. Failed: with a 5xx status, or by breaking off the block. Aborted: by the client. */
  readonly outcome: 'completed' | 'aborted' | 'refused' | 'failed';
}

/** A lookup of a header, an index, a block boundary or a short block in its cache. */
export interface CacheEvent {
  readonly type: 'cache';
  readonly cache: 'header' | 'index' | 'boundary' | 'block';
  /** True even if the value is still being loaded for another request. */
  readonly isHit: boolean;
}

/**
 * Receives a failure, the object that the request names, and the request's `X-Request-Id`, each undefined if unknown. The id is
 * the client's own unless a server or proxy before the handler replaces it.
 */
export type OnError = (error: unknown, object: ObjectName | undefined, requestId: string | undefined) => void;

export interface HookOptions {
  readonly onEvent?: (event: HtsgetEvent) => void;
  /** Default `console.error`. */
  readonly onError?: OnError;
  /** Default `console.error`. */
  readonly onWarning?: (warning: Error, object: ObjectName) => void;
}

/** Calls the hooks of an embedder. A failing hook does not fail the request. */
export class Hooks {
  readonly #options: HookOptions;
  /** A fault of a file is cached with it, and found again by each request. */
  readonly #reported = new WeakSet<Error>();

  constructor(options: HookOptions) {
    this.#options = options;
  }

  /** Whether the embedder listens to events. */
  get hasListener(): boolean {
    return this.#options.onEvent !== undefined;
  }

  event(event: HtsgetEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch (error) {
      this.error(error, objectOfEvent(event));
    }
  }

  /** Reports an error. The fault of a file is reported once. */
  error(error: unknown, object: ObjectName | undefined, requestId?: string): void {
    if (isCorruption(error) && !this.#isNew(error)) return;
    try {
      const { onError = console.error } = this.#options;
      onError.call(this.#options, error, object, requestId);
    } catch {
      // A failing error hook must not fail the request.
    }
  }

  /** Reports a warning, each once. */
  warning(warning: Error, object: ObjectName): void {
    if (!this.#isNew(warning)) return;
    try {
      const { onWarning = console.error } = this.#options;
      onWarning.call(this.#options, warning, object);
    } catch (error) {
      this.error(error, object);
    }
  }

  #isNew(error: Error): boolean {
    if (this.#reported.has(error)) return false;
    this.#reported.add(error);
    return true;
  }
}

function objectOfEvent(event: HtsgetEvent): ObjectName | undefined {
  if (event.type === 'cache') return undefined;
  return event.type === 'access' ? event.object : { datatype: event.datatype, id: event.id };
}
