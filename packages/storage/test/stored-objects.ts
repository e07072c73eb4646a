import type { ObjectStore } from '@htskit/io';

const CHUNK_BYTES = 100_003;

/** Splits bytes into chunks and calls `onChunk` after each. */
export async function* chunksOf(bytes: Uint8Array, onChunk?: () => Promise<void>): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.slice(at, at + CHUNK_BYTES);
    await onChunk?.();
  }
}

export async function isHeld(store: ObjectStore, key: string, bytes: Uint8Array): Promise<boolean> {
  const read = await store.source(key).read({ start: 0, end: bytes.length + 1 });
  return Buffer.from(bytes).equals(read);
}

export async function keysOf(
  store: ObjectStore,
  prefix: string,
  options?: { readonly signal: AbortSignal },
): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix, options)) keys.push(key);
  return keys;
}
