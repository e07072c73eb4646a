import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseRangeHeader, toContentRange } from '@htskit/http';
import { dataUri } from '@htskit/protocol';
import { onTestFinished } from 'vitest';

/** The current answer of the server, which a test changes between two downloads. */
export interface ServedAnswer {
  format: string;
  header: Uint8Array;
  body: Uint8Array;
  etag: string;
  /** The MD5 of the whole file in the ticket, if any. */
  md5: string | undefined;
  /** The number of bytes of the body after which the response stalls with an open connection. */
  stallsAt: number;
  /** How often a ticket is refused by a 503 first. */
  refusals: number;
  /** How many tickets have expired block URLs. */
  expiredTickets: number;
}

export interface BlockServer {
  readonly url: string;
  readonly answer: ServedAnswer;
  readonly tickets: readonly IncomingMessage[];
  readonly blocks: readonly IncomingMessage[];
}

export function md5Of(...parts: readonly Uint8Array[]): string {
  return createHash('md5').update(Buffer.concat(parts)).digest('hex');
}

/** An htsget service with one answer: a header in the ticket, and a body at a URL, which ends with the test. */
export async function startBlockServer(answer: ServedAnswer): Promise<BlockServer> {
  const tickets: IncomingMessage[] = [];
  const blocks: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/blocks/') === true) {
      blocks.push(request);
      sendBody(request, response, answer);
    } else if (answer.refusals > tickets.length) {
      tickets.push(request);
      response.writeHead(503, { 'retry-after': '0' }).end();
    } else {
      tickets.push(request);
      const urls = [{ url: dataUri(answer.header) }, { url: `${origin}/blocks/${tickets.length}` }];
      response.end(JSON.stringify({ htsget: { format: answer.format, urls, md5: answer.md5 } }));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `${origin}/reads/a`, answer, tickets, blocks };
}

function sendBody(request: IncomingMessage, response: ServerResponse, answer: ServedAnswer): void {
  const { body, etag, stallsAt, expiredTickets } = answer;
  const ticket = Number(request.url?.split('/').at(-1));
  const asked = parseRangeHeader(request.headers.range ?? null, body.length);
  if (ticket <= expiredTickets) return void response.writeHead(403).end();
  if (asked.kind === 'unsatisfiable') return void response.writeHead(416).end();
  const { start, end } = asked.kind === 'range' ? asked.range : { start: 0, end: body.length };
  response.writeHead(asked.kind === 'range' ? 206 : 200, {
    etag,
    'accept-ranges': 'bytes',
    'content-length': String(end - start),
    ...(asked.kind === 'range' && { 'content-range': toContentRange({ start, end }, body.length) }),
  });
  if (stallsAt >= end) response.end(body.subarray(start, end));
  else response.write(body.subarray(start, Math.max(start, stallsAt)));
}
