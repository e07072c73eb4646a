import type { SecretKey } from '@htskit/crypt4gh';
import type { TransportOptions } from '@htskit/http';
import type { Ticket } from '@htskit/protocol';
import type { ResumeState } from './resume-state.js';

export interface StreamOptions extends TransportOptions {
  /** Delivers only the blocks of this class, for a ticket that has classes. Default: all blocks. */
  readonly class?: 'header' | 'body';
  /** Concurrent requests. Default 4. */
  readonly concurrency?: number;
  /** Approximate bytes that are fetched ahead of the consumer. Default 32 MiB. */
  readonly bytesAhead?: number;
  /** Bytes of the parts in which a block with a Range header is fetched. Default 16 MiB; Infinity for whole blocks. */
  readonly splitBytes?: number;
  /** Whether a whole file must end with the EOF marker of its format. Default true. */
  readonly verifyEnd?: boolean;
  /** Whether the blocks are those of a Crypt4GH file. Default: if there is an `identity`. */
  readonly isEncrypted?: boolean;
  /** Decrypts the blocks with this key. Such a download cannot be resumed. */
  readonly identity?: SecretKey;
  /** Returns a new ticket for the same query when a block URL has expired. Default: that is an error. */
  readonly renew?: (signal: AbortSignal) => Promise<Ticket>;
  /** Continues an earlier download of the same query. */
  readonly resume?: ResumeOptions;
  /** Called for each chunk before it is delivered. */
  readonly onProgress?: (progress: HtsgetProgress) => void;
}

export interface ResumeOptions {
  readonly state: ResumeState;
  /** The bytes that the state covers. Without them, the checks of the whole file are omitted. */
  readonly received?: AsyncIterable<Uint8Array>;
}

export interface HtsgetProgress {
  /** Bytes delivered so far, including those of an earlier process. */
  readonly bytes: number;
  /** Undefined while the length of a block is unknown. */
  readonly totalBytes: number | undefined;
  /** Blocks delivered completely. */
  readonly blocks: number;
  readonly totalBlocks: number;
}

/** Options with their defaults. */
export interface StreamSettings
  extends Pick<StreamOptions, 'class' | 'renew' | 'resume' | 'onProgress'>,
    Readonly<Record<'concurrency' | 'bytesAhead' | 'splitBytes', number>> {
  readonly verifyEnd: boolean;
  readonly isEncrypted: boolean;
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
    isEncrypted: options.isEncrypted ?? options.identity !== undefined,
    renew: options.renew,
    resume: options.resume,
    onProgress: options.onProgress,
  };
}
