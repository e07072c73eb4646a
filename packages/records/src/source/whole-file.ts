import type { OpenSource } from './open-source.js';

/** Sizes of reads of a header, which mostly fits into the first one. */
const FIRST_READ_BYTES = 65536;
const MAX_READ_BYTES = 2 ** 22;

/** Reads a file from its start in growing parts, as long as the consumer continues. */
export async function* readStart(
  { source, size, version }: OpenSource,
  { signal }: { readonly signal?: AbortSignal },
): AsyncGenerator<Uint8Array, void> {
  let byteLength = FIRST_READ_BYTES;
  for (let start = 0; start < size; byteLength = Math.min(4 * byteLength, MAX_READ_BYTES)) {
    const end = Math.min(start + byteLength, size);
    yield await source.read({ start, end }, { version, signal });
    start = end;
  }
}

const warned = new WeakSet<OpenSource>();

/** Reports that a file lacks its EOF marker, once. */
export function warnOnce(
  file: OpenSource,
  { onWarning = console.error }: { readonly onWarning?: (warning: Error) => void },
): void {
  if (warned.has(file)) return;
  warned.add(file);
  onWarning(new Error('the EOF marker is missing, so the file may be truncated'));
}
