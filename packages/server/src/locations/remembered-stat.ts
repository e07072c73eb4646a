import type { ByteRange } from '@htskit/protocol';
import { type ByteSource, type ReadOptions, type SourceStat, StorageError } from '@htskit/storage';

export interface RememberedStatOptions {
  /** For how long a size and version stand; 0 means that they are always asked for. */
  readonly milliseconds: number;
  /** Milliseconds since any point in time. Default: since the process started. */
  readonly now?: (() => number) | undefined;
}

interface Remembered {
  readonly stat: Promise<SourceStat>;
  readonly expires: number;
}

/**
 * A source whose size and version are asked for once in a while, not for each ticket. Reads demand a version, so none mixes
 * two: one that finds another version, or nothing, has it asked for anew.
 */
export function rememberStat(source: ByteSource, options: RememberedStatOptions): ByteSource {
  return options.milliseconds > 0 ? new RememberingSource(source, options) : source;
}

class RememberingSource implements ByteSource {
  readonly key: string;
  readonly #source: ByteSource;
  readonly #options: RememberedStatOptions;
  #remembered: Remembered | undefined;

  constructor(source: ByteSource, options: RememberedStatOptions) {
    this.key = source.key;
    this.#source = source;
    this.#options = options;
  }

  /** Of a version that another replica has told of, it is asked anew whether it is the one by now. */
  async stat({ signal, version }: ReadOptions = {}): Promise<SourceStat> {
    if (signal?.aborted === true) return this.#source.stat({ signal });
    const stat = await this.#recall();
    if (version === undefined || stat.version === version) return stat;
    this.#remembered = undefined;
    return this.#recall();
  }

  async read(range: ByteRange, options?: ReadOptions): Promise<Uint8Array> {
    try {
      return await this.#source.read(range, options);
    } catch (error) {
      throw this.#learn(error);
    }
  }

  stream(range: ByteRange, options?: ReadOptions): ReadableStream<Uint8Array> {
    const reader = this.#source.stream(range, options).getReader();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        throw this.#learn(error);
      }
    };
    return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
  }

  async close(): Promise<void> {
    await this.#source.close?.();
  }

  /** Without a request's signal: others may be waiting for the same answer. */
  #recall(): Promise<SourceStat> {
    const { milliseconds, now = () => performance.now() } = this.#options;
    if (this.#remembered !== undefined && now() < this.#remembered.expires) return this.#remembered.stat;
    const remembered = { stat: this.#source.stat(), expires: now() + milliseconds };
    this.#remembered = remembered;
    remembered.stat.catch(() => {
      if (this.#remembered === remembered) this.#remembered = undefined;
    });
    return remembered.stat;
  }

  /** The error, which may say that what is remembered is so no more. */
  #learn(error: unknown): unknown {
    const isOver = error instanceof StorageError && (error.code === 'CHANGED' || error.code === 'NOT_FOUND');
    if (isOver) this.#remembered = undefined;
    return error;
  }
}
