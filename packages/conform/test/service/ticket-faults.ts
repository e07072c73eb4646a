import { deflateBlocks, EOF_MARKER, gunzip } from '@htskit/bgzf';
import { parseBamHeader } from '@htskit/formats';
import { bamRecordLength } from '@htskit/formats/internal';
import { concatBytes, toBase64 } from '@htskit/io';
import type { Fault, Handler } from './faithful-service.js';
import { changeAnswer, onRequests, type RequestFilter } from './faults.js';

/** A block of a ticket, and its members. */
export interface BlockDocument {
  url: string;
  headers?: unknown;
  class?: unknown;
}

/** The member `htsget` of a ticket. */
export interface TicketDocument {
  format?: unknown;
  md5?: unknown;
  urls: BlockDocument[];
}

export const isTicketPath = ({ pathname }: URL): boolean => /^\/(?:reads|variants)\/(?!service-info)/.test(pathname);

/** Returns whether a request is for a format. BAM and VCF are the defaults. */
export function isFormat(format: string): RequestFilter {
  return (url, _, body) =>
    isTicketPath(url) && (url.searchParams.get('format') === format || body.includes(`"format":"${format}"`));
}

/** Changes the tickets of the requests that match. */
export function changeTicket(matches: RequestFilter, change: (htsget: TicketDocument) => void): Fault {
  return changeAnswer(
    (url, request, body) => isTicketPath(url) && matches(url, request, body),
    async (answer) => {
      if (answer.status !== 200) return answer;
      const document = (await answer.json()) as { readonly htsget: TicketDocument };
      change(document.htsget);
      return ticketOf(document, answer);
    },
  );
}

function ticketOf(document: object, { headers: given }: Response): Response {
  const text = JSON.stringify(document);
  const headers = new Headers(given);
  headers.set('content-length', String(text.length));
  return new Response(text, { headers });
}

/** Sets members of all blocks. */
export function setEach({ urls }: TicketDocument, members: Partial<BlockDocument>): void {
  for (const block of urls) Object.assign(block, members);
}

/** Fetches the blocks of a ticket. */
export async function fetchBlocks(serve: Handler, { urls }: TicketDocument): Promise<Uint8Array[]> {
  const blocks: Uint8Array[] = [];
  for (const { url, headers } of urls) {
    const answer = url.startsWith('data:')
      ? await fetch(url)
      : await serve(new Request(url, { headers: headers as Record<string, string> }));
    blocks.push(new Uint8Array(await answer.arrayBuffer()));
  }
  return blocks;
}

/** Changes the files of the requests that match. Their tickets have one block, a data URI. */
export function changeFile(matches: RequestFilter, change: (bytes: Uint8Array) => Uint8Array): Fault {
  return onRequests(matches, async (request, serve) => {
    const answer = await serve(request.clone());
    if (answer.status !== 200) return answer;
    const { htsget } = (await answer.json()) as { readonly htsget: TicketDocument };
    const bytes = change(concatBytes(await fetchBlocks(serve, htsget)));
    return ticketOf({ htsget: { format: htsget.format, urls: [{ url: `data:;base64,${toBase64(bytes)}` }] } }, answer);
  });
}

/** Changes the records of BAM files. */
export function changeRecords(matches: RequestFilter, change: (records: Uint8Array[]) => Uint8Array[]): Fault {
  const isBam = isFormat('BAM');
  return changeFile(
    (url, request, body) => isBam(url, request, body) && matches(url, request, body),
    (bytes) => {
      const data = gunzip(bytes);
      const { byteLength } = parseBamHeader(data);
      const records: Uint8Array[] = [];
      for (let at = byteLength; at < data.length; ) {
        const end = at + (bamRecordLength(data, at) ?? data.length);
        records.push(data.subarray(at, end));
        at = end;
      }
      return toBgzf(concatBytes([data.subarray(0, byteLength), ...change(records)]));
    },
  );
}

/** Compresses a file, with the EOF marker. */
export function toBgzf(data: Uint8Array): Uint8Array {
  return concatBytes([deflateBlocks(data), EOF_MARKER]);
}
