import type { ByteSource } from '@htskit/io';
import { onAbort, toAbortedError } from '@htskit/io';
import type { BlockCache } from './block-cache.js';

/** A block that is being read, and whom for. */
interface PendingBlock {
  readonly promise: Promise<Uint8Array>;
  readonly resolve: (block: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  /** Who waits for it: where nobody does any more, it need not be read. */
  waiterCount: number;
  /** Of the read that it is part of, once there is one. */
  run: Run | undefined;
}

/** Blocks [start, end), which are read at once. */
interface Run {
  readonly start: number;
  end: number;
  /** Those that somebody asked for, by their ranks. */
  readonly blocks: Map<number, PendingBlock>;
  readonly controller: AbortController;
}

/** Bytes that are read at once at most, but for a single block. */
const MAX_RUN_BYTES = 4 * 1024 * 1024;

/** Reads the blocks of one version of an object into a cache, each of them once however many ask for it. */
export class BlockReader {
  readonly #source: ByteSource;
  readonly #version: string;
  readonly #cache: BlockCache;
  readonly #pending = new Map<number, PendingBlock>();
  /** Pending ones that no read was begun for. */
  #queue: number[] = [];

  constructor(source: ByteSource, version: string, cache: BlockCache) {
    this.#source = source;
    this.#version = version;
    this.#cache = cache;
  }

  /** Whether nobody waits for a block. */
  get isIdle(): boolean {
    for (const { waiterCount } of this.#pending.values()) if (waiterCount > 0) return false;
    return true;
  }

  /** The block of this rank, which must not be changed; empty beyond the object's end. */
  async read(rank: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const cached = this.#cache.get(this.#nameOf(rank));
    if (cached !== undefined) return cached;
    const pending = this.#pending.get(rank) ?? this.#enqueue(rank);
    pending.waiterCount++;
    let stopListening: (() => void) | undefined;
    try {
      if (signal === undefined) return await pending.promise;
      return await new Promise((resolve, reject) => {
        stopListening = onAbort(signal, () => reject(toAbortedError(signal, this.#source.key)));
        pending.promise.then(resolve, reject);
      });
    } finally {
      stopListening?.();
      this.#leave(rank, pending);
    }
  }

  #leave(rank: number, pending: PendingBlock): void {
    pending.waiterCount--;
    if (pending.waiterCount > 0 || this.#pending.get(rank) !== pending) return;
    const { run } = pending;
    if (run === undefined || Array.from(run.blocks.values()).some(({ waiterCount }) => waiterCount > 0)) return;
    // Those who ask for these blocks from now on must not get the failure of a read that was given up.
    for (const [other, block] of run.blocks) this.#forget(other, block);
    run.controller.abort();
  }

  #enqueue(rank: number): PendingBlock {
    const block = createPending();
    this.#pending.set(rank, block);
    // What is asked for in the same turn is read together.
    if (this.#queue.length === 0) queueMicrotask(() => this.#readQueue());
    this.#queue.push(rank);
    return block;
  }

  #readQueue(): void {
    const ranks = this.#queue;
    this.#queue = [];
    for (const run of toRuns(ranks, this.#cache)) {
      for (let rank = run.start; rank < run.end; rank++) {
        const block = this.#pending.get(rank);
        if (block === undefined || block.run !== undefined) continue;
        block.run = run;
        run.blocks.set(rank, block);
      }
      void this.#readRun(run).then(
        (bytes) => this.#settle(run, bytes),
        (error: unknown) => {
          for (const [rank, block] of run.blocks) {
            this.#forget(rank, block);
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

  /** Keeps all blocks of a run, also those in between that nobody asked for. */
  #settle({ start, end, blocks }: Run, bytes: Uint8Array): void {
    const { blockBytes } = this.#cache;
    for (let rank = start; rank < end; rank++) {
      const at = (rank - start) * blockBytes;
      // Copied unless it is all there is: a view would keep the bytes of the others in memory.
      const isWhole = end - start === 1 && bytes.length === bytes.buffer.byteLength;
      const block = isWhole ? bytes : bytes.slice(at, at + blockBytes);
      this.#cache.set(this.#nameOf(rank), block);
      const pending = blocks.get(rank);
      if (pending === undefined) continue;
      this.#forget(rank, pending);
      pending.resolve(block);
    }
  }

  #forget(rank: number, block: PendingBlock): void {
    if (this.#pending.get(rank) === block) this.#pending.delete(rank);
  }

  #nameOf(rank: number): string {
    return `${rank} ${JSON.stringify([this.#source.key, this.#version])}`;
  }
}

/** The fewest reads for these blocks, of which each goes on over gaps of at most `coalesceBytes`. */
function toRuns(ranks: readonly number[], { blockBytes, coalesceBytes }: BlockCache): Run[] {
  const runs: Run[] = [];
  for (const rank of ranks.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    const isNear = last !== undefined && (rank - last.end) * blockBytes <= coalesceBytes;
    if (isNear && (rank + 1 - last.start) * blockBytes <= MAX_RUN_BYTES) last.end = rank + 1;
    else runs.push({ start: rank, end: rank + 1, blocks: new Map(), controller: new AbortController() });
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
  // Those who waited may all have gone.
  promise.catch(() => undefined);
  return { promise, resolve, reject, waiterCount: 0, run: undefined };
}
