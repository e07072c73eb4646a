export interface InOrderOptions {
  /** Sources that are read concurrently. */
  readonly concurrency: number;
  /** Approximate bytes that are buffered ahead of the consumer. */
  readonly bytesAhead: number;
}

/** A chunk of an item, or the end of the item if it has no chunk. */
export interface ItemChunk<Item> {
  readonly item: Item;
  readonly chunk?: Uint8Array;
}

/**
 * Reads the sources of several items concurrently and yields their chunks in the order of the items. The first source is
 * read whatever the others have buffered, so that they cannot block it. A caller that stops early must first abort what the
 * sources wait for.
 */
export async function* inOrder<Item>(
  items: Iterable<Item>,
  open: (item: Item) => AsyncGenerator<Uint8Array, void>,
  { concurrency, bytesAhead }: InOrderOptions,
): AsyncGenerator<ItemChunk<Item>, void> {
  const pending = items[Symbol.iterator]();
  const buffer = new SharedBuffer(bytesAhead);
  const lanes: Lane<Item>[] = [];
  try {
    for (;;) {
      while (lanes.length < concurrency) {
        const next = pending.next();
        if (next.done === true) break;
        lanes.push(new Lane(next.value, open(next.value), buffer));
      }
      const [first] = lanes;
      if (first === undefined) return;
      for await (const chunk of first.drain()) yield { item: first.item, chunk };
      lanes.shift();
      yield { item: first.item };
    }
  } finally {
    buffer.close();
  }
}

/** Counts the buffered bytes of all lanes, and wakes the lanes that wait for room. */
class SharedBuffer {
  readonly #limit: number;
  #bytes = 0;
  #isClosed = false;
  #wake = (): void => undefined;
  #changed = this.#nextChange();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get hasRoom(): boolean {
    return this.#bytes < this.#limit;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get changed(): Promise<void> {
    return this.#changed;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.notify();
  }

  notify(): void {
    this.#wake();
    this.#changed = this.#nextChange();
  }

  close(): void {
    this.#isClosed = true;
    this.notify();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** One source that is read ahead of the consumer. */
class Lane<Item> {
  readonly item: Item;
  readonly #source: AsyncGenerator<Uint8Array, void>;
  readonly #buffer: SharedBuffer;
  readonly #chunks: Uint8Array[] = [];
  #outcome: { readonly error?: unknown; readonly isFailed: boolean } | undefined;
  #isFirst = false;

  constructor(item: Item, source: AsyncGenerator<Uint8Array, void>, buffer: SharedBuffer) {
    this.item = item;
    this.#source = source;
    this.#buffer = buffer;
    void this.#pump();
  }

  async *drain(): AsyncGenerator<Uint8Array, void> {
    this.#isFirst = true;
    this.#buffer.notify();
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#buffer.add(-chunk.length);
        yield chunk;
      } else if (this.#outcome !== undefined) {
        if (this.#outcome.isFailed) throw this.#outcome.error;
        return;
      } else {
        await this.#buffer.changed;
      }
    }
  }

  /** Reads the source. `drain` reports the outcome: a lane that is never drained fails silently. */
  async #pump(): Promise<void> {
    const buffer = this.#buffer;
    try {
      for (;;) {
        while (!this.#mayRead() && !buffer.isClosed) await buffer.changed;
        if (buffer.isClosed) break;
        const { done, value } = await this.#source.next();
        if (done === true) break;
        this.#chunks.push(value);
        buffer.add(value.length);
      }
      this.#outcome = { isFailed: false };
    } catch (error) {
      this.#outcome = { error, isFailed: true };
    }
    if (buffer.isClosed) this.#source.return().catch(() => undefined);
    buffer.notify();
  }

  #mayRead(): boolean {
    return (this.#isFirst && this.#chunks.length === 0) || this.#buffer.hasRoom;
  }
}
