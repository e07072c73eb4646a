import { yieldToEventLoop } from '@htskit/io/internal';

/** A view of a record, which knows where the next one begins. */
export interface RecordView {
  readonly byteEnd: number;
}

/** Returns a function that returns a new view of the record at an offset of `bytes`. */
export type OpenRecords<View> = (bytes: Uint8Array) => (offset: number) => View;

function noRecord(): never {
  throw new RangeError('no piece of data has been read');
}

/**
 * Iterates over the records of pieces of data, as an async generator would. That generator is resumed only for the next piece:
 * resuming it for each record takes 0.2 µs more, as much as two fields.
 *
 * The class is not exported: the members that its declaration would need depend on the `lib` of the program that imports it.
 */
export function iterateRecords<View extends RecordView>(
  pieces: AsyncIterable<Uint8Array>,
  open: OpenRecords<View>,
): AsyncGenerator<View, void> {
  return new RecordIterator(pieces, open);
}

/** Milliseconds for which a caller may read records before other events are handled. */
const TURN_MILLISECONDS = 5;

/** Bytes of records between two looks at the clock: they take less than a millisecond, even if all fields are read. */
const STEP_BYTES = 2 ** 16;

/** `Symbol.asyncDispose`, which async generators have in newer runtimes. */
const asyncDispose: symbol = (Symbol as { readonly asyncDispose?: symbol }).asyncDispose ?? Symbol('asyncDispose');

class RecordIterator<View extends RecordView> implements AsyncGenerator<View, void> {
  readonly #records: AsyncGenerator<View, void>;
  /** Views a record of the current piece. The rest of the piece is [#at, #end). */
  #viewAt: (offset: number) => View = noRecord;
  #at = 0;
  #end = 0;
  /** The offset in the piece at which the time is looked at next. */
  #stepEnd = 0;
  #turnStart = performance.now();
  /** The calls of the generator that are not settled. Other calls are served after them. */
  #waiting = 0;

  constructor(pieces: AsyncIterable<Uint8Array>, open: OpenRecords<View>) {
    this.#records = this.#generate(pieces, open);
  }

  next(): Promise<IteratorResult<View, void>> {
    if (this.#waiting > 0 || this.#at >= this.#stepEnd) return this.#wait(this.#records.next());
    try {
      return Promise.resolve({ done: false, value: this.#take() });
    } catch (error) {
      return this.throw(error);
    }
  }

  return(): Promise<IteratorResult<View, void>> {
    return this.#wait(this.#records.return());
  }

  throw(error: unknown): Promise<IteratorResult<View, void>> {
    return this.#wait(this.#records.throw(error));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Called at the end of the block of an `await using` declaration. */
  async [asyncDispose](): Promise<void> {
    await this.return();
  }

  async *#generate(pieces: AsyncIterable<Uint8Array>, open: OpenRecords<View>): AsyncGenerator<View, void> {
    try {
      for await (const bytes of pieces) {
        this.#viewAt = open(bytes);
        this.#at = 0;
        this.#end = bytes.length;
        while (this.#at < this.#end) {
          await this.#yieldIfLate();
          this.#stepEnd = Math.min(this.#at + STEP_BYTES, this.#end);
          yield this.#take();
        }
      }
    } finally {
      this.#stepEnd = 0;
      this.#end = 0;
    }
  }

  /** Lets other events be handled: a caller who has all records in memory would hold up the event loop. */
  async #yieldIfLate(): Promise<void> {
    if (performance.now() - this.#turnStart < TURN_MILLISECONDS) return;
    await yieldToEventLoop();
    this.#turnStart = performance.now();
  }

  #take(): View {
    const record = this.#viewAt(this.#at);
    // Read before the caller can move the view.
    this.#at = record.byteEnd;
    return record;
  }

  async #wait<T>(call: Promise<T>): Promise<T> {
    this.#waiting++;
    try {
      return await call;
    } finally {
      this.#waiting--;
    }
  }
}
