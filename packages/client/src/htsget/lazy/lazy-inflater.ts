import type { RangeInflater } from '@htskit/bgzf/internal';

/** Loads what inflates the first block of a download, which is as large as the rest of the client. */
export async function loadInflater(): Promise<RangeInflater> {
  return (await import('./inflate-from-start.js')).inflateFromStart();
}
