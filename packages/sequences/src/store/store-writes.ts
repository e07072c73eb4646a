import type { SequenceDigests } from '@htskit/digest';
import { type ObjectStore, StorageError } from '@htskit/io';
import type { SequenceAlias } from '../sequence.js';
import { aliasKey, factKey, md5Key } from './store-layout.js';

/** Whether there is an object, of so many bytes if they are given. */
export async function isStored(store: ObjectStore, key: string, size?: number): Promise<boolean> {
  const source = store.source(key);
  try {
    const found = (await source.stat()).size;
    return size === undefined || found === size;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'NOT_FOUND') return false;
    throw error;
  } finally {
    await source.close?.();
  }
}

/** Writes a short object, unless there is one of its length: then it is the same. */
export async function putMissing(
  store: ObjectStore,
  key: string,
  { text = '', signal }: { readonly text?: string; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  if (!(await isStored(store, key, bytes.length))) await store.put(key, bytes, { signal });
}

export interface FactsToPut {
  readonly digests: SequenceDigests;
  readonly aliases: readonly SequenceAlias[];
  readonly circular: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stores what leads to a sequence and what is known of it, as far as it is not there. Facts are added and never taken away:
 * whoever adds others at the same time loses nothing.
 */
export async function putFacts(store: ObjectStore, { digests, aliases, circular, signal }: FactsToPut): Promise<void> {
  const { md5, trunc512 } = digests;
  const keys = [
    ...(circular ? [factKey(trunc512, { kind: 'circular' })] : []),
    ...aliases.flatMap((alias) => [factKey(trunc512, { kind: 'alias', ...alias }), aliasKey(trunc512, alias)]),
  ];
  await Promise.all([
    putMissing(store, md5Key(md5), { text: trunc512, signal }),
    ...keys.map((key) => putMissing(store, key, { signal })),
  ]);
}
