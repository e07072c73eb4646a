import type { HtsgetFormat } from './query.js';

/** One part of the answer's bytes (htsget 1.3.1, "Data block"). */
export interface TicketBlock {
  /** Absolute HTTP(S) URL, or a `dataUri`. */
  readonly url: string;
  /** Sent with the request for an HTTP(S) URL. htsjdk fails where it is missing there. */
  readonly headers?: Readonly<Record<string, string>>;
  /** On every block of a ticket, or on none. */
  readonly class?: 'header' | 'body';
}

/** Answer to a query (htsget 1.3.1, "Ticket"): the blocks whose bytes, concatenated in this order, are the file. */
export interface Ticket {
  readonly htsget: {
    readonly format: HtsgetFormat;
    readonly urls: readonly TicketBlock[];
    /** MD5 of the concatenated bytes, 32 hexadecimal digits. */
    readonly md5?: string;
  };
}
