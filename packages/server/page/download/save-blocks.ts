import type { Ticket } from '@htskit/protocol';
import { readBody } from '../records/fetch-blocks.js';
import { decodeDataUri } from '../ticket/ticket-blocks.js';

/** Bytes after which chunks become a `Blob`, which browsers can keep on the disk. */
const PART_BYTES = 16 * 1024 * 1024;

/**
 * Fetches the blocks of a ticket one after another into one `Blob`, with the headers of the ticket and no others. Calls `onProgress`
 * with the number of bytes so far. Throws ServiceError for a block that cannot be fetched.
 */
export async function downloadBlocks(
  { htsget: { urls } }: Ticket,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
): Promise<Blob> {
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let pending = 0;
  let total = 0;
  const add = (chunk: Uint8Array<ArrayBuffer>): void => {
    chunks.push(chunk);
    pending += chunk.length;
    total += chunk.length;
    onProgress(total);
    if (pending < PART_BYTES) return;
    parts.push(new Blob(chunks));
    chunks = [];
    pending = 0;
  };
  for (const { url, headers = {} } of urls) {
    if (url.startsWith('data:')) add(decodeDataUri(url));
    else await readBody(await fetch(url, { headers, signal }), add);
  }
  return new Blob([...parts, ...chunks]);
}

/** Saves data as a file, as if a person had followed a link to it. */
export function saveFile(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MILLISECONDS);
}

const REVOKE_MILLISECONDS = 60_000;
const LINE_BASES = 60;

/** Returns bases as a file in FASTA format. The name is that of the sequence, `start` its first base, 0-based. */
export function formatFasta(name: string, start: number, bases: string): string {
  const lines = [`>${name}:${start + 1}-${start + bases.length}`];
  for (let at = 0; at < bases.length; at += LINE_BASES) lines.push(bases.slice(at, at + LINE_BASES));
  return `${lines.join('\n')}\n`;
}
