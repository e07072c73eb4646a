import { BgzfError, gunzip } from '@htskit/bgzf';
import type { Ticket } from '@htskit/protocol';
import { ServiceError } from '../service-error.js';
import { decodeDataUri } from '../ticket/ticket-blocks.js';

/** The maximum number of bytes that the page downloads: a region of a deep genome is some megabytes. */
const MOST_BYTES = 32 * 1024 * 1024;
/** The maximum number of bytes that these may become: BAM takes a quarter of its data. */
const MOST_INFLATED_BYTES = 4 * MOST_BYTES;

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
      if (total > MOST_BYTES) throw tooMuchData();
    };
    if (url.startsWith('data:')) add(decodeDataUri(url));
    else await readBody(await fetch(url, { headers, signal }), add);
    lengths.push(length);
  }
  return { lengths, bytes: new Uint8Array(await new Blob(parts).arrayBuffer()) };
}

/** Passes on the chunks of a block as they arrive. Throws ServiceError for any status but 2xx. */
export async function readBody(response: Response, add: (chunk: Uint8Array<ArrayBuffer>) => void): Promise<void> {
  if (!response.ok) throw new ServiceError(`a block answers with status ${response.status}`, response.status);
  const reader = response.body?.getReader();
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) add(part.value);
  } finally {
    await reader?.cancel();
  }
}

/**
 * Inflates BGZF and verifies it. Throws ServiceError for more than `maxBytes` of data, and BgzfError for damaged blocks. Takes less
 * CPU time than a `DecompressionStream` for each block, which holds all of them in memory at once.
 */
export function inflateBgzf(bytes: Uint8Array, maxBytes = MOST_INFLATED_BYTES): Uint8Array<ArrayBuffer> {
  try {
    return gunzip(bytes, { maxBytes });
  } catch (error) {
    throw error instanceof BgzfError && error.code === 'LIMIT_EXCEEDED' ? tooMuchData() : error;
  }
}

function tooMuchData(): ServiceError {
  return new ServiceError('the region has more data than this page decodes; choose a smaller one', 0);
}
