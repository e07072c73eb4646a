import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { askHandler } from './exchange.js';
import type { Handler, HandlerResponse } from './handler.js';
import { refuse, sendResponse } from './outgoing-response.js';
import { countSegments, dropSegments, normalizePath, parseRequestTarget } from './request-target.js';

export { AdapterError, type AdapterErrorCode } from './adapter-error.js';
export type { Handler, HandlerResponse } from './handler.js';

/**
 * Makes a handler a Fastify plugin: `app.register(toFastify(handler), { prefix: '/prefix' })`. It answers every method
 * and path below the prefix. What the handler throws goes to Fastify's error handler.
 */
export function toFastify(handler: Handler): FastifyPluginCallback {
  return (instance, _options, done) => {
    // Bodies of any type go to the handler unread. Parsers are encapsulated: those of the parent stay as they are.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    const answer = toRouteHandler(handler, instance);
    instance.all('/', answer);
    instance.all('/*', answer);
    done();
  };
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

function toRouteHandler(handler: Handler, { prefix }: FastifyInstance): RouteHandler {
  const depth = countSegments(prefix);
  return async (request, reply) => {
    const target = parseRequestTarget(request.raw.url ?? '');
    if (target === undefined) return reply.code(400).send();
    const response = await askHandler(handler, {
      incoming: request.raw,
      outgoing: reply.raw,
      path: normalizePath(dropSegments(target, depth)),
      body: request.body instanceof Readable ? request.body : undefined,
    });
    // Else Fastify has answered in the meantime: a `handlerTimeout`.
    if (!reply.sent) await send(response, request, reply);
  };
}

/**
 * Writes past Fastify, which checks no Content-Length and cannot tell a body that fails at once from one that fails
 * later. Headers that hooks have set are kept; `onSend` hooks do not run, `onResponse` hooks do.
 */
async function send(
  response: HandlerResponse | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.hijack();
  if (response === undefined) return;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  try {
    await sendResponse(response, reply.raw);
  } catch (err) {
    refuse(reply.raw, 500);
    request.log.error({ err }, 'the response failed');
  }
}
