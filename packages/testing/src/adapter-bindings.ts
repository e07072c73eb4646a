import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import express, { type RequestHandler } from 'express';
import Fastify, { type FastifyPluginCallback } from 'fastify';
import { type Context, Hono } from 'hono';

/** A handler that an adapter binds to a framework. The path of its URLs is relative to the mount point. */
type FetchHandler = (request: Request) => Response | Promise<Response>;

/** The adapters, by their structure, because this package does not import them. */
export interface Adapters {
  toNodeListener(handler: FetchHandler, options: { prefix: string }): RequestListener;
  toExpress(handler: FetchHandler): RequestHandler;
  toHono(handler: FetchHandler): (context: Context) => Promise<Response>;
  toFastify(handler: FetchHandler): FastifyPluginCallback;
}

/** A request whose path is relative to the mount point and is sent unchanged. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends requests to a handler, directly or over HTTP. Redirects are not followed. */
export type Send = (request: WireRequest) => Promise<Response>;

/** Mounts a handler and passes a function that unmounts it to `onClose`. */
export type Bind = (handler: FetchHandler, onClose: (close: () => void) => void) => Promise<Send>;

/** The path at which the handler is mounted in each framework. */
const PREFIX = '/mounted';

/** Binds a handler directly and through each adapter, so that one table of requests and responses tests all of them. */
export function adapterBindings(adapters: Adapters): readonly (readonly [name: string, bind: Bind])[] {
  return [
    ['the bare handler', async (handler) => (wire) => sendDirectly(handler, wire)],
    ['node:http', overHttp((handler) => createServer(adapters.toNodeListener(handler, { prefix: PREFIX })))],
    ['Express', overHttp((handler) => createServer(express().use(PREFIX, adapters.toExpress(handler))))],
    [
      'Hono',
      overHttp((handler) => {
        const app = new Hono().all(`${PREFIX}/*`, adapters.toHono(handler));
        return createAdaptorServer({ fetch: app.fetch }) as Server;
      }),
    ],
    [
      'Fastify',
      overHttp(async (handler) => {
        const app = Fastify();
        app.register(adapters.toFastify(handler), { prefix: PREFIX });
        await app.listen({ host: '127.0.0.1', port: 0 });
        return app.server;
      }),
    ],
  ];
}

async function sendDirectly(handler: FetchHandler, { method, path, headers, body }: WireRequest): Promise<Response> {
  const init = { method, headers, ...(body !== undefined && { body: body as BodyInit }) };
  return handler(new Request(`http://localhost${path}`, init));
}

function overHttp(createBound: (handler: FetchHandler) => Server | Promise<Server>): Bind {
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

/** Sends a request without normalising its path or headers, unlike `fetch`. */
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
