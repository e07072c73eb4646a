import { type ByteRange, type ByteSource, onAbort, type ReadOptions, type SourceStat, StorageError } from '@htskit/io';

export interface RememberedStatOptions {
  /** For how long a size and version stand; 0 means that they are always asked for. */
  readonly milliseconds: number;
  /** The file that the source is an index of: what was told before its own size and version were asked for does not stand. */
  readonly data?: ByteSource | undefined;
  /** Milliseconds since any point in time. Default: since the process started. */
  readonly now?: (() => number) | undefined;
}

interface Remembered {
  readonly stat: Promise<SourceStat>;
  readonly asked: number;
  /** Without end until the answer is there. */
  expires: number;
}

/**
 * A source whose size and version are asked for once in a while, not for each ticket. Reads demand a version, so none mixes
 * two: one that finds another version, or nothing, has it asked for anew. Those of an index are remembered where those of its
 * data are, and never longer: new data with an old index would lack records.
 */
export function rememberStat(source: ByteSource, options: RememberedStatOptions): ByteSource {
  const { milliseconds, data } = options;
  const isAlone = data !== undefined && !(data instanceof StatCachingSource);
  return milliseconds > 0 && !isAlone ? new StatCachingSource(source, options) : source;
}

class StatCachingSource implements ByteSource {
  readonly key: string;
  readonly #source: ByteSource;
  readonly #milliseconds: number;
  readonly #data: StatCachingSource | undefined;
  readonly #now: () => number;
  #remembered: Remembered | undefined;

  constructor(
    source: ByteSource,
    { milliseconds, data, now = (): number => performance.now() }: RememberedStatOptions,
  ) {
    this.key = source.key;
    this.#source = source;
    this.#milliseconds = milliseconds;
    this.#data = data instanceof StatCachingSource ? data : undefined;
    this.#now = now;
  }

  /** Of a version that another replica has told of, it is asked anew whether it is the one by now. */
  async stat({ signal, version }: ReadOptions = {}): Promise<SourceStat> {
    const known = this.#recall();
    const stat = await unlessAborted(known.stat, signal, this.key);
    if (version === undefined || stat.version === version) return stat;
    if (this.#remembered === known) this.#remembered = undefined;
    return unlessAborted(this.#recall().stat, signal, this.key);
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
  #recall(): Remembered {
    const known = this.#remembered;
    const asked = this.#now();
    if (known !== undefined && asked < known.expires && this.#isAsNewAsData(known)) return known;
    const remembered: Remembered = { stat: this.#source.stat(), asked, expires: Number.POSITIVE_INFINITY };
    this.#remembered = remembered;
    remembered.stat.then(
      () => {
        remembered.expires = this.#now() + this.#milliseconds;
      },
      () => {
        if (this.#remembered === remembered) this.#remembered = undefined;
      },
    );
    return remembered;
  }

  /** Whoever wants both asks for the data first. */
  #isAsNewAsData({ asked }: Remembered): boolean {
    if (this.#data === undefined) return true;
    const ofData = this.#data.#remembered;
    return ofData !== undefined && ofData.asked <= asked;
  }

  /** The error, which may say that what is remembered is so no more. */
  #learn(error: unknown): unknown {
    const isOver = error instanceof StorageError && (error.code === 'CHANGED' || error.code === 'NOT_FOUND');
    if (isOver) this.#remembered = undefined;
    return error;
  }
}

/** The answer, if it comes before the signal is aborted; fails with ABORTED otherwise. */
async function unlessAborted<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal | undefined,
  key: string,
): Promise<Answer> {
  let stopListening = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, (reason) =>
      reject(new StorageError('ABORTED', 'the request was aborted', { key, cause: reason })),
    );
  });
  try {
    return await Promise.race([aborted, answer]);
  } finally {
    stopListening();
  }
}
