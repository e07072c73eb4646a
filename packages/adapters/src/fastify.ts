import { Readable } from 'node:stream';
import type { PlainResponse } from '@htskit/http';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { callHandler } from './exchange.js';
import type { Handler } from './handler.js';
import { sendResponse, sendStatus } from './outgoing-response.js';
import { countSegments, dropSegments, normalizePath, parseRequestTarget } from './request-target.js';

export type { PlainResponse } from '@htskit/http';
export { AdapterError, type AdapterErrorCode } from './adapter-error.js';
export type { Handler } from './handler.js';

/**
 * Converts a handler to a Fastify plugin, which answers every method and path below its prefix. An error that the handler
 * throws is passed to Fastify's error handler.
 *
 * @example
 * import { fastify } from 'fastify';
 *
 * const app = fastify();
 * app.register(toFastify(handler), { prefix: '/prefix' });
 */
export function toFastify(handler: Handler): FastifyPluginCallback {
  return (instance, _options, done) => {
    // The handler reads bodies of any type itself. Parsers are encapsulated, so those of the parent are not affected.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    const routeHandler = toRouteHandler(handler, instance);
    instance.all('/', routeHandler);
    instance.all('/*', routeHandler);
    done();
  };
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

function toRouteHandler(handler: Handler, { prefix }: FastifyInstance): RouteHandler {
  const depth = countSegments(prefix);
  return async (request, reply) => {
    const target = parseRequestTarget(request.raw.url ?? '');
    if (target === undefined) return reply.code(400).send();
    const response = await callHandler(handler, {
      incoming: request.raw,
      outgoing: reply.raw,
      path: normalizePath(dropSegments(target, depth)),
      body: request.body instanceof Readable ? request.body : undefined,
    });
    // Fastify may have answered in the meantime, by its `handlerTimeout`.
    if (!reply.sent) await send(response, request, reply);
  };
}

/**
 * Writes the response without `reply.send`, which does not check the Content-Length and treats a body that fails at once
 * like one that fails later. Headers that hooks have set are kept. `onSend` hooks do not run; `onResponse` hooks do.
 */
async function send(response: PlainResponse | undefined, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.hijack();
  if (response === undefined) return;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  try {
    await sendResponse(response, reply.raw);
  } catch (err) {
    sendStatus(reply.raw, 500);
    request.log.error({ err }, 'the response failed');
  }
}
