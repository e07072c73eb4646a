import { HtsgetError } from '@htskit/protocol';
import { type ByteSource, type SourceStat, StorageError } from '@htskit/storage';

/** Throws `StorageError` CHANGED where the source is of another version, if one is known. */
export async function checkVersion(
  source: ByteSource,
  { version, signal }: { readonly version: string | undefined; readonly signal: AbortSignal },
): Promise<SourceStat> {
  const stat = await source.stat({ signal });
  if (version === undefined || stat.version === version) return stat;
  throw new StorageError('CHANGED', 'the bytes are of another version', { key: source.key });
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
