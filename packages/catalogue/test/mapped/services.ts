import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BlockCache } from '@htskit/storage/cache';
import { onTestFinished } from 'vitest';
import { RemoteStorage } from '../../src/locations/remote-storage.js';
import type { MappedLocation } from '../../src/mapped/open-mapped.node.js';
import type { ObjectCatalogue } from '../../src/objects/object-catalogue.js';
import { openObjects } from '../../src/objects/open-objects.node.js';

/** A web server on loopback, with the requests that it received. */
export interface TestService {
  readonly origin: string;
  readonly host: string;
  readonly requests: readonly ReceivedRequest[];
}

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
}

/** Returns the answer to a request: a status, headers, and a body or a JSON document. */
export type Respond = (request: IncomingMessage) => {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array | object;
};

export async function startService(respond: Respond): Promise<TestService> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const { method, url } = request;
    requests.push({ method, url, authorization: request.headers.authorization });
    answer(request, response, respond(request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin: `http://${host}`, host, requests };
}

function answer(request: IncomingMessage, response: ServerResponse, found: ReturnType<Respond>): void {
  const { status = 200, headers = {}, body = {} } = found;
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (status !== 200 || first === undefined || !(body instanceof Uint8Array)) {
    response.writeHead(status, { 'content-length': bytes.length, ...headers });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return;
  }
  const part = bytes.subarray(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`;
  response.writeHead(206, { 'content-length': part.length, 'content-range': range, ...headers });
  response.end(part);
}

/** Opens the objects of mapped locations. */
export async function openMappedObjects(
  mapped: readonly MappedLocation[],
  options: {
    readonly storage?: RemoteStorage;
    readonly log?: (message: string) => void;
  } = {},
): Promise<ObjectCatalogue> {
  const { storage = createStorage(), log = () => undefined } = options;
  const catalogue = await openObjects({ paths: [], locations: [], mapped, storage, log });
  onTestFinished(() => catalogue.close());
  return catalogue;
}

export function createStorage(): RemoteStorage {
  const transport = { retries: 0, redirectHosts: [] };
  return new RemoteStorage({ s3: {}, cache: new BlockCache(), presignSeconds: 60, statSeconds: 0, transport });
}

/** The context of a request with a token. */
export function requestOf(token?: string): { readonly headers: Headers } {
  return { headers: new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
}
