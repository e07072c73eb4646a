import { parseBlockHeader } from '@htskit/bgzf';
import type { Ticket } from '@htskit/protocol';
import { ServiceError } from '../service-error.js';
import { decodeDataUri } from '../ticket/ticket-blocks.js';

/** The most bytes that the page downloads and decodes: a region of a deep genome is some megabytes. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The blocks of a ticket, as they arrived. */
export interface ReceivedBlocks {
  /** The number of bytes of each block of the ticket. */
  readonly lengths: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Fetches the blocks of a ticket one after another, with the headers of the ticket and no others. Throws ServiceError for a block
 * that cannot be fetched, and for more than `MOST_BYTES`.
 */
export async function fetchBlocks({ htsget: { urls } }: Ticket, signal: AbortSignal): Promise<ReceivedBlocks> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const lengths: number[] = [];
  let total = 0;
  for (const { url, headers = {} } of urls) {
    let length = 0;
    const add = (chunk: Uint8Array<ArrayBuffer>): void => {
      parts.push(chunk);
      length += chunk.length;
      total += chunk.length;
      if (total > MOST_BYTES)
        throw new ServiceError('the region has more data than this page decodes; choose a smaller one', 0);
    };
    if (url.startsWith('data:')) add(decodeDataUri(url));
    else await readBody(await fetch(url, { headers, signal }), add);
    lengths.push(length);
  }
  return { lengths, bytes: new Uint8Array(await new Blob(parts).arrayBuffer()) };
}

async function readBody(response: Response, add: (chunk: Uint8Array<ArrayBuffer>) => void): Promise<void> {
  if (!response.ok) throw new ServiceError(`a block answers with status ${response.status}`, response.status);
  const reader = response.body?.getReader();
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) add(part.value);
  } finally {
    await reader?.cancel();
  }
}

/** The length of the footer of a BGZF block: CRC32 and ISIZE (SAMv1 §4.1). */
const FOOTER_LENGTH = 8;

/** Inflates BGZF with the decoder of the browser, which is part of it, unlike that of @htskit/bgzf. */
export async function inflateBgzf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Promise<ArrayBuffer>[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const { blockSize, dataStart } = parseBlockHeader(bytes, { offset });
    const deflated = bytes.subarray(offset + dataStart, offset + blockSize - FOOTER_LENGTH);
    const inflated = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    parts.push(new Response(inflated).arrayBuffer());
    offset += blockSize;
  }
  return new Uint8Array(await new Blob(await Promise.all(parts)).arrayBuffer());
}
