import type { Ticket } from '@htskit/protocol';

export type Handler = (request: Request) => Promise<Response>;

export const PUBLIC_URL = 'http://localhost';
const DATA_URI = 'data:;base64,';

/** The file that a query answers with: its ticket's blocks, concatenated. Nothing goes over a network. */
export async function fetchAnswer(handler: Handler, path: string, init?: RequestInit): Promise<Uint8Array> {
  const response = await handler(new Request(PUBLIC_URL + path, init));
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const { htsget } = (await response.json()) as Ticket;
  const blocks: Uint8Array[] = [];
  for (const { url } of htsget.urls) {
    blocks.push(
      url.startsWith(DATA_URI) ? Buffer.from(url.slice(DATA_URI.length), 'base64') : await fetchBlock(handler, url),
    );
  }
  return Buffer.concat(blocks);
}

async function fetchBlock(handler: Handler, url: string): Promise<Uint8Array> {
  const response = await handler(new Request(url));
  if (response.status !== 200) throw new Error(`a block: ${response.status} ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}
