import type { Ticket } from '@htskit/protocol';
import type { TransportOptions } from '../transport/transport.js';
import type { ResumeState } from './resume-state.js';

export interface StreamOptions extends TransportOptions {
  /** Only the blocks of this class, of a ticket that has classes: the header may be known already. Default all. */
  readonly class?: 'header' | 'body' | undefined;
  /** Requests at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** Bytes, about, that are fetched ahead of the consumer. Default 32 MiB. */
  readonly bytesAhead?: number | undefined;
  /** A block with a Range header is fetched in parts of so many bytes. Default 16 MiB; Infinity for whole blocks. */
  readonly splitBytes?: number | undefined;
  /** Whether a whole file must end with the EOF marker of its format. Default true. */
  readonly verifyEnd?: boolean | undefined;
  /** Gives a new ticket for the same query when a block URL has expired. Default: that is an error. */
  readonly renew?: ((signal: AbortSignal) => Promise<Ticket>) | undefined;
  readonly resume?: ResumeOptions | undefined;
  /** Told of each chunk as it is given out. */
  readonly onProgress?: ((progress: HtsgetProgress) => void) | undefined;
}

export interface ResumeOptions {
  readonly state: ResumeState;
  /** The bytes of the state, for the checks of the whole file, which are left out without them. */
  readonly received?: AsyncIterable<Uint8Array> | undefined;
}

export interface HtsgetProgress {
  /** Given out, with those of an earlier process. */
  readonly bytes: number;
  /** Undefined while the length of a block is unknown. */
  readonly totalBytes: number | undefined;
  /** Given out as a whole. */
  readonly blocks: number;
  readonly totalBlocks: number;
}

/** Options with their defaults. */
export interface StreamSettings
  extends Pick<StreamOptions, 'class' | 'renew' | 'resume' | 'onProgress'>,
    Readonly<Record<'concurrency' | 'bytesAhead' | 'splitBytes', number>> {
  readonly verifyEnd: boolean;
}

const MiB = 1024 * 1024;

export function toStreamSettings(options: StreamOptions): StreamSettings {
  const { concurrency = 4, bytesAhead = 32 * MiB, splitBytes = 16 * MiB, verifyEnd = true } = options;
  return {
    class: options.class,
    concurrency: Math.max(1, concurrency),
    bytesAhead,
    splitBytes: Math.max(1, splitBytes),
    verifyEnd,
    renew: options.renew,
    resume: options.resume,
    onProgress: options.onProgress,
  };
}
