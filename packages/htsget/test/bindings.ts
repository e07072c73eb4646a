import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { toExpress } from '@htskit/adapters/express';
import { toFastify } from '@htskit/adapters/fastify';
import { toHono } from '@htskit/adapters/hono';
import { toNodeListener } from '@htskit/adapters/node';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { type Handler, PUBLIC_URL } from './read-ticket.js';

/** Where the handler is mounted behind each framework. */
const PREFIX = '/htsget';

/** What is sent: the target as it stands, without the mount point. */
interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** Sends requests to a handler, directly or over HTTP. */
export type Send = (request: WireRequest) => Promise<Response>;

/** Puts a handler where requests reach it, until the test (or its file) ends. */
export type Bind = (handler: Handler, onClose: (close: () => void) => void) => Promise<Send>;

function overHttp(createBound: (handler: Handler) => Server | Promise<Server>): Bind {
  return async (handler, onClose) => {
    const server = await createBound(handler);
    if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onClose(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo;
    return (wire) => sendTo(port, { ...wire, path: PREFIX + wire.path });
  };
}

/** Neither path nor headers are changed on their way, as `fetch` would. */
async function sendTo(port: number, { method, path, headers, body }: WireRequest): Promise<Response> {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
  const bytes = Buffer.concat(await incoming.toArray());
  const status = incoming.statusCode ?? 0;
  const pairs = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(bytes.length === 0 ? null : bytes, { status, headers: pairs });
}

/** The handler by itself, and behind each adapter of `@htskit/adapters`. */
export const bindings: readonly (readonly [name: string, bind: Bind])[] = [
  [
    'the bare handler',
    async (handler) =>
      async ({ method, path, headers, body }) =>
        handler(
          new Request(PUBLIC_URL + path, { method, headers, ...(body !== undefined && { body: body as BodyInit }) }),
        ),
  ],
  ['node:http', overHttp((handler) => createServer(toNodeListener(handler, { prefix: PREFIX })))],
  ['Express', overHttp((handler) => createServer(express().use(PREFIX, toExpress(handler))))],
  [
    'Hono',
    overHttp((handler) => {
      const app = new Hono().all(`${PREFIX}/*`, toHono(handler));
      return createAdaptorServer({ fetch: app.fetch }) as Server;
    }),
  ],
  [
    'Fastify',
    overHttp(async (handler) => {
      const app = Fastify();
      app.register(toFastify(handler), { prefix: PREFIX });
      await app.listen({ host: '127.0.0.1', port: 0 });
      return app.server;
    }),
  ],
];
