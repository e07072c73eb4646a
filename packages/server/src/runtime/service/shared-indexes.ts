import type { BucketLocation, PathLocation, RemoteStorage } from '@htskit/catalogue/internal';
import { sha512t24u } from '@htskit/digest';
import type { BuiltIndexes, StoredFile } from '@htskit/htsget';
import { encodeText, type ObjectStore } from '@htskit/io';
import { folderStore } from '@htskit/storage/folder';
import { describeError } from '../../errors.js';

/** A folder or a bucket in which replicas share what they make of remote files. */
export type SharedCacheLocation = PathLocation | BucketLocation;

/** Longer indexes are built by each process. */
const MAX_BYTES = 64 * 2 ** 20;

/** Opens the store of a shared cache. Nothing is read or written yet. */
export function openSharedCache(location: SharedCacheLocation, storage: RemoteStorage): ObjectStore {
  return location.kind === 's3' ? storage.openStore(location) : folderStore(location.path);
}

/**
 * Returns the indexes that are built of remote files, which are kept in a store by the version of their file. Those of local files are
 * not, since their versions differ between machines, nor those of encrypted files, which would show where their records are. The
 * first failure to write one is logged.
 */
export function sharedIndexes(store: ObjectStore, log: (message: string) => void): BuiltIndexes {
  let hasFailed = false;
  return {
    async load(file, version) {
      const key = keyOf(file, version);
      if (key === undefined) return undefined;
      const source = store.source(key, { isImmutable: true });
      try {
        const bytes = await source.read({ start: 0, end: MAX_BYTES + 1 });
        return bytes.length > MAX_BYTES ? undefined : bytes;
      } finally {
        await source.close?.();
      }
    },
    async save(file, version, index) {
      const key = keyOf(file, version);
      if (key === undefined || index.length > MAX_BYTES) return;
      try {
        await store.put(key, index);
      } catch (error) {
        if (!hasFailed) log(`sharedCache: cannot write an index: ${describeError(error)}`);
        hasFailed = true;
      }
    },
  };
}

function keyOf({ identity, isEncrypted = false }: StoredFile, version: string): string | undefined {
  if (identity === undefined || isEncrypted) return undefined;
  return `indexes/${sha512t24u(encodeText(`${identity}\n${version}`))}`;
}
