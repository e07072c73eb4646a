import { toBase64 } from '@htskit/io';
import type { HtsgetFormat } from './query.js';
import type { HtsgetRegion } from './region.js';

/** One block of a ticket: a part of the file's bytes (htsget 1.3.1, "Data block"). */
export interface TicketBlock {
  /** Absolute HTTP(S) URL, or a data URI as `dataUri` writes it. */
  readonly url: string;
  /** Headers that the client sends when it fetches an HTTP(S) URL. htsjdk fails if they are missing from such a block. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Present on every block of a ticket or on none. */
  readonly class?: 'header' | 'body';
}

/** The response to a query (htsget 1.3.1, "Ticket"): the file is the concatenation of the blocks in this order. */
export interface Ticket {
  readonly htsget: {
    readonly format: HtsgetFormat;
    readonly urls: readonly TicketBlock[];
    /** MD5 of the concatenated bytes, as 32 hexadecimal digits. */
    readonly md5?: string;
    /** An extension: see `TicketRestriction`. */
    readonly restricted?: TicketRestriction;
  };
}

/**
 * The regions and samples that an answer has, if the request may not see all that it requested (hts-specs 838). `some` stands for a
 * list that is too long for a ticket.
 */
export interface TicketRestriction {
  readonly regions?: readonly HtsgetRegion[] | 'some';
  readonly samples?: readonly string[] | 'some';
}

/**
 * Encodes bytes as an inline block URL: `data:;base64,` followed by padded base64 (RFC 4648 §4), the only form that every
 * known client reads.
 *
 * @example
 * dataUri(Uint8Array.of(0x42, 0x41, 0x4d)); // 'data:;base64,QkFN'
 */
export function dataUri(bytes: Uint8Array): string {
  return `data:;base64,${toBase64(bytes)}`;
}
