import type { ByteSource } from '@htskit/io';
import { unlessAborted } from '@htskit/io/internal';
import type { BlockCache } from './block-cache.js';

/** A block that is being read. */
interface PendingBlock {
  readonly promise: Promise<Uint8Array>;
  readonly resolve: (block: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  /** Callers that wait for the block. Without any, it need not be read. */
  waiterCount: number;
  /** The read that the block is part of, once it has begun. */
  run: Run | undefined;
}

/** Blocks [start, end), which one read fetches. */
interface Run {
  readonly start: number;
  end: number;
  /** The requested blocks by index. */
  readonly blocks: Map<number, PendingBlock>;
  readonly controller: AbortController;
}

/** The maximum number of bytes of one read, except for a single block. */
const MAX_RUN_BYTES = 4 * 1024 * 1024;

/** Reads the blocks of one version of an object into a cache. Concurrent callers of a block share one read. */
export class BlockReader {
  readonly #source: ByteSource;
  readonly #version: string;
  readonly #cache: BlockCache;
  readonly #pending = new Map<number, PendingBlock>();
  /** Pending blocks whose read has not begun. */
  #queue: number[] = [];

  constructor(source: ByteSource, version: string, cache: BlockCache) {
    this.#source = source;
    this.#version = version;
    this.#cache = cache;
  }

  /** Whether no caller waits for a block. */
  get isIdle(): boolean {
    for (const { waiterCount } of this.#pending.values()) if (waiterCount > 0) return false;
    return true;
  }

  /** Returns the block with this index, empty past the end of the object. The caller must not modify it. */
  async read(index: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const cached = this.#cache.get(this.#nameOf(index));
    if (cached !== undefined) return cached;
    const pending = this.#pending.get(index) ?? this.#enqueue(index);
    pending.waiterCount++;
    try {
      return await unlessAborted(pending.promise, signal, this.#source.key);
    } finally {
      this.#leave(index, pending);
    }
  }

  #leave(index: number, pending: PendingBlock): void {
    pending.waiterCount--;
    if (pending.waiterCount > 0 || this.#pending.get(index) !== pending) return;
    const { run } = pending;
    if (run === undefined || Array.from(run.blocks.values()).some(({ waiterCount }) => waiterCount > 0)) return;
    // Later callers of these blocks must not get the failure of the aborted read.
    for (const [other, block] of run.blocks) this.#forget(other, block);
    run.controller.abort();
  }

  #enqueue(index: number): PendingBlock {
    const block = createPending();
    this.#pending.set(index, block);
    // Requests of the same turn are read together.
    if (this.#queue.length === 0) queueMicrotask(() => this.#readQueue());
    this.#queue.push(index);
    return block;
  }

  #readQueue(): void {
    const indexes = this.#queue;
    this.#queue = [];
    for (const run of toRuns(indexes, this.#cache)) {
      for (let index = run.start; index < run.end; index++) {
        const block = this.#pending.get(index);
        if (block === undefined || block.run !== undefined) continue;
        block.run = run;
        run.blocks.set(index, block);
      }
      void this.#readRun(run).then(
        (bytes) => this.#settle(run, bytes),
        (error: unknown) => {
          for (const [index, block] of run.blocks) {
            this.#forget(index, block);
            block.reject(error);
          }
        },
      );
    }
  }

  async #readRun({ start, end, controller }: Run): Promise<Uint8Array> {
    const { blockBytes } = this.#cache;
    const range = { start: start * blockBytes, end: Math.min(end * blockBytes, Number.MAX_SAFE_INTEGER) };
    return this.#source.read(range, { version: this.#version, signal: controller.signal });
  }

  /** Caches all blocks of a run, including unrequested ones in between. */
  #settle({ start, end, blocks }: Run, bytes: Uint8Array): void {
    const { blockBytes } = this.#cache;
    for (let index = start; index < end; index++) {
      const at = (index - start) * blockBytes;
      // Copied unless it is the whole buffer: a view would keep the other blocks in memory.
      const isWhole = end - start === 1 && bytes.length === bytes.buffer.byteLength;
      const block = isWhole ? bytes : bytes.slice(at, at + blockBytes);
      this.#cache.set(this.#nameOf(index), block);
      const pending = blocks.get(index);
      if (pending === undefined) continue;
      this.#forget(index, pending);
      pending.resolve(block);
    }
  }

  #forget(index: number, block: PendingBlock): void {
    if (this.#pending.get(index) === block) this.#pending.delete(index);
  }

  #nameOf(index: number): string {
    return `${index} ${JSON.stringify([this.#source.key, this.#version])}`;
  }
}

/** Groups blocks into the fewest reads, each of which spans gaps of at most `coalesceBytes`. */
function toRuns(indexes: readonly number[], { blockBytes, coalesceBytes }: BlockCache): Run[] {
  const runs: Run[] = [];
  for (const index of indexes.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    const isNear = last !== undefined && (index - last.end) * blockBytes <= coalesceBytes;
    if (isNear && (index + 1 - last.start) * blockBytes <= MAX_RUN_BYTES) last.end = index + 1;
    else runs.push({ start: index, end: index + 1, blocks: new Map(), controller: new AbortController() });
  }
  return runs;
}

function createPending(): PendingBlock {
  let resolve: PendingBlock['resolve'] = () => undefined;
  let reject: PendingBlock['reject'] = () => undefined;
  const promise = new Promise<Uint8Array>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  // All callers may have stopped waiting.
  promise.catch(() => undefined);
  return { promise, resolve, reject, waiterCount: 0, run: undefined };
}
