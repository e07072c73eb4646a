import { defaultEngine } from '#default-engine';
import { BlockInflater } from './block-inflater.js';
import type { CodecEngine } from './codec-engine.js';

/** Inflaters that nobody uses at the moment. More than these are left to the garbage collector. */
const MAX_IDLE = 8;
const idle = new WeakMap<CodecEngine, BlockInflater[]>();

/** An inflater for one call or iteration, and how to give it back when the last view of it is done with. */
export interface PooledInflater {
  readonly inflater: BlockInflater;
  readonly release: () => void;
}

/** Lends an inflater of `engine`: to make one takes as long as to inflate some blocks. */
export function borrowInflater(engine: CodecEngine = defaultEngine()): PooledInflater {
  const free = idle.get(engine) ?? [];
  idle.set(engine, free);
  const inflater = free.pop() ?? new BlockInflater({ engine });
  return {
    inflater,
    release: () => {
      if (free.length < MAX_IDLE) free.push(inflater);
    },
  };
}

/** What `run` returns, which must not be a view of what the inflater gave it. */
export function withInflater<T>(engine: CodecEngine | undefined, run: (inflater: BlockInflater) => T): T {
  const { inflater, release } = borrowInflater(engine);
  try {
    return run(inflater);
  } finally {
    release();
  }
}
