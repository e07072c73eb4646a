import { byteSourceContract, type ContractSource, type ContractSubject } from '../../src/index.js';

class SourceError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const CHUNK_BYTES = 100_000;

interface Store {
  bytes: Uint8Array | undefined;
  version: number;
  bytesRead: number;
}

type Options = NonNullable<Parameters<ContractSource['read']>[1]>;
type Range = Parameters<ContractSource['read']>[0];

/** The simplest source that fulfils the contract, which tests the suite itself. */
class ReferenceSource implements ContractSource {
  static #count = 0;
  readonly key: string = `reference:${ReferenceSource.#count++}`;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async stat(options: Options = {}): Promise<{ size: number; version: string }> {
    return { size: this.#check({ start: 0, end: 0 }, options).length, version: String(this.#store.version) };
  }

  async read(range: Range, options: Options = {}): Promise<Uint8Array> {
    const bytes = this.#check(range, options).slice(range.start, range.end);
    this.#store.bytesRead += bytes.length;
    return bytes;
  }

  stream({ start, end }: Range, options: Options = {}): ReadableStream<Uint8Array> {
    let at = start;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        options.signal?.addEventListener('abort', () => controller.error(new SourceError('ABORTED')));
      },
      pull: async (controller) => {
        this.#check({ start, end }, options);
        const chunk = await this.read({ start: at, end: Math.min(at + CHUNK_BYTES, end) }, options);
        at += chunk.length;
        if (chunk.length > 0) controller.enqueue(chunk);
        else controller.close();
      },
    };
    return new ReadableStream(source, { highWaterMark: 0 });
  }

  #check({ start, end }: Range, { signal, version }: Options): Uint8Array {
    if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end)) {
      throw new SourceError('INVALID_RANGE');
    }
    if (signal?.aborted === true) throw new SourceError('ABORTED');
    if (this.#store.bytes === undefined) throw new SourceError('NOT_FOUND');
    if (version !== undefined && version !== String(this.#store.version)) throw new SourceError('CHANGED');
    return this.#store.bytes;
  }
}

function createSubject(bytes: Uint8Array): ContractSubject {
  const store: Store = { bytes, version: 1, bytesRead: 0 };
  return {
    source: new ReferenceSource(store),
    missing: new ReferenceSource({ bytes: undefined, version: 0, bytesRead: 0 }),
    replace: async (replacement) => {
      store.bytes = replacement;
      store.version++;
    },
    bytesRead: () => store.bytesRead,
  };
}

byteSourceContract('a reference source', createSubject);
byteSourceContract('a source that can do no more than it must', (bytes) => ({ source: createSubject(bytes).source }), {
  without: ['missing', 'replace', 'bytesRead'],
});
