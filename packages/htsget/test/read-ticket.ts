import type { Ticket } from '@htskit/protocol';
import { collectSlowly } from '@htskit/testing';

export type Handler = (request: Request) => Promise<Response>;

export const PUBLIC_URL = 'http://localhost';

/** Requests a ticket and throws if the answer is an error. */
export async function fetchTicket(handler: Handler, path: string, init?: RequestInit): Promise<Ticket> {
  const response = await handler(new Request(PUBLIC_URL + path, init));
  const document: unknown = await response.json();
  if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(document)}`);
  return document as Ticket;
}

/** Fetches the blocks of a ticket, those of a store by their own URLs, and concatenates them as a slow client does. */
export async function fetchBlocks(handler: Handler, ticket: Ticket): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  for (const { url, headers } of ticket.htsget.urls) {
    const init = { headers: { ...headers } };
    const isServed = url.startsWith(`${PUBLIC_URL}/`);
    const response = isServed ? await handler(new Request(url, init)) : await fetch(url, init);
    if (response.status !== ('Range' in init.headers ? 206 : 200))
      throw new Error(`${response.status}: ${await response.text()}`);
    blocks.push(await collectSlowly(response.body ?? []));
  }
  return new Uint8Array(Buffer.concat(blocks));
}

/** Returns the file that answers a query. */
export async function fetchFile(handler: Handler, path: string, init?: RequestInit): Promise<Uint8Array> {
  return fetchBlocks(handler, await fetchTicket(handler, path, init));
}

/** Returns the status and error name of an error response. */
export async function fetchError(handler: Handler, path: string, init?: RequestInit): Promise<[number, string]> {
  const response = await handler(new Request(PUBLIC_URL + path, init));
  const { htsget } = (await response.json()) as { htsget: { error: string } };
  return [response.status, htsget.error];
}
