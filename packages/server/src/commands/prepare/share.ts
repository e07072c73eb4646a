import { createHash } from 'node:crypto';

/** One of several disjoint shares of the files of a location. */
export interface Share {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/** Returns whether a file is in a share. Its key alone decides, so that processes agree without a list of all files. */
export function isInShare(key: string, { index, count }: Share): boolean {
  return createHash('sha256').update(key).digest().readUInt32BE(0) % count === index;
}
