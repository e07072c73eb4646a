import { type ByteSource, type ReadOptions, type SourceStat, StorageError } from '@htskit/io';
import { HtsgetError } from '@htskit/protocol';
import { type BlockClaim, sourceTag } from './block-claim.js';
import type { StoredFile } from './options.js';

/** Throws `StorageError` CHANGED where the source is of another version, if one is known. */
export async function checkVersion(
  source: ByteSource,
  { version, signal }: { readonly version: string | undefined; readonly signal: AbortSignal },
): Promise<SourceStat> {
  // A source that remembers its version for a while asks anew where it is another one.
  const asked: ReadOptions = { version, signal };
  const stat = await source.stat(asked);
  if (version === undefined || stat.version === version) return stat;
  throw new StorageError('CHANGED', 'the bytes are of another version', { key: source.key });
}

/** Throws `StorageError` CHANGED where the id of a claim has come to stand for another file. */
export function checkSource({ source }: BlockClaim, { identity, data }: StoredFile): void {
  if (source === undefined || source === sourceTag(identity)) return;
  throw new StorageError('CHANGED', 'the id stands for another file', { key: data.key });
}

/** A file that changes while its ticket is being made may be read a moment later. */
export function toTransient(error: unknown): never {
  if (!(error instanceof StorageError) || error.code !== 'CHANGED') throw error;
  throw new HtsgetError('InternalServerError', 'the file is being replaced', {
    status: 503,
    retryAfterSeconds: 1,
    cause: error,
  });
}
