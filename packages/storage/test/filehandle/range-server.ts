import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RangeServer {
  readonly url: string;
  /** Bytes of the bodies that were sent. */
  readonly bytesRead: () => number;
  readonly close: () => Promise<void>;
}

export interface RangeServerOptions {
  /** Answers every request with it. */
  readonly status?: number;
  /** Whether Content-Range is hidden, as from a browser if the server does not expose it. */
  readonly hidesContentRange?: boolean;
}

/** Serves `bytes`, whole or by one range, on loopback. */
export async function serveRanges(bytes: Uint8Array, options: RangeServerOptions = {}): Promise<RangeServer> {
  let bytesRead = 0;
  const server = createServer((request, response) => {
    bytesRead += answer(request.headers.range, { bytes, response, options });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/object`, bytesRead: () => bytesRead, close: () => closeServer(server) };
}

interface Answer {
  readonly bytes: Uint8Array;
  readonly response: ServerResponse;
  readonly options: RangeServerOptions;
}

function answer(range: string | undefined, { bytes, response, options }: Answer): number {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  const start = Number(first ?? 0);
  const end = Math.min(Number(last ?? Number.POSITIVE_INFINITY) + 1, bytes.length);
  const status = options.status ?? (first === undefined ? 200 : start < bytes.length ? 206 : 416);
  const body = status < 300 ? bytes.subarray(start, end) : new Uint8Array();
  if (status === 206 && options.hidesContentRange !== true) {
    response.setHeader('content-range', `bytes ${start}-${end - 1}/${bytes.length}`);
  }
  response.writeHead(status, { 'content-length': body.length }).end(body);
  return body.length;
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}
