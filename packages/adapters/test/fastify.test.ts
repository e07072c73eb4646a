import { once } from 'node:events';
import { Transform } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Handler, toFastify } from '../src/fastify.js';
import { adapterContract } from './contract/adapter-contract.js';

adapterContract('Fastify', async (handler, prefix) => {
  const app = fastify();
  app.register(toFastify(handler), { prefix });
  await app.ready();
  return app.server;
});

const echo: Handler = async (request) => new Response(await request.text());
const url: Handler = (request) => new Response(request.url);

/** Starts an application until the test ends and returns its origin. */
async function listen(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

describe('in an application', () => {
  test('the body parsers of other routes are not affected', async () => {
    const app = fastify();
    app.register(toFastify(echo), { prefix: '/prefix' });
    app.post('/json', async (request) => ({ parsed: request.body }));
    const origin = await listen(app);
    const init = { method: 'POST', body: '{ "a": 1 }', headers: { 'content-type': 'application/json' } };
    expect(await (await fetch(`${origin}/prefix/a`, init)).text()).toBe('{ "a": 1 }');
    expect(await (await fetch(`${origin}/json`, init)).json()).toEqual({ parsed: { a: 1 } });
  });

  test('a body may be replaced before it is parsed', async () => {
    const app = fastify();
    app.addHook('preParsing', async (_request, _reply, payload) => {
      const upper = new Transform({
        transform: (chunk: Buffer, _, done) => done(null, chunk.toString().toUpperCase()),
      });
      return payload.pipe(upper);
    });
    app.register(toFastify(echo), { prefix: '/prefix' });
    const origin = await listen(app);
    expect(await (await fetch(`${origin}/prefix/`, { method: 'POST', body: 'text' })).text()).toBe('TEXT');
  });

  test('an error that the handler throws is passed to the error handler', async () => {
    const app = fastify();
    const error = new Error('of the handler');
    app.setErrorHandler((thrown, _request, reply) => reply.code(418).send(thrown === error ? 'that' : 'another'));
    app.register(toFastify(() => Promise.reject(error)));
    const response = await fetch(`${await listen(app)}/a`);
    expect([response.status, await response.text()]).toEqual([418, 'that']);
  });

  test('headers that hooks have set are kept', async () => {
    const app = fastify();
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'x-hook': 'yes', vary: 'Cookie' });
    });
    app.register(toFastify(() => new Response('ok', { headers: { vary: 'Origin' } })));
    const { headers } = await fetch(`${await listen(app)}/a`);
    expect([headers.get('x-hook'), headers.get('vary')]).toEqual(['yes', 'Cookie, Origin']);
  });

  test('onResponse hooks run', async () => {
    const app = fastify();
    const responded = new Promise<number>((resolve) => {
      app.addHook('onResponse', async (_request, reply) => resolve(reply.raw.statusCode));
    });
    app.register(toFastify(() => new Response('ok', { status: 202 })));
    await fetch(`${await listen(app)}/a`);
    expect(await responded).toBe(202);
  });

  test('a body that fails at once is answered with an empty 500 and logged', async () => {
    const write = vi.fn<(line: string) => void>();
    const app = fastify({ logger: { level: 'error', stream: { write } } });
    const body = new ReadableStream({
      pull() {
        throw new Error('of the body');
      },
    });
    app.register(toFastify(() => new Response(body)));
    const response = await fetch(`${await listen(app)}/a`);
    expect([response.status, await response.text()]).toEqual([500, '']);
    expect(write.mock.calls.join('')).toContain('of the body');
  });

  test('the body of a handler that misses the timeout is cancelled', async () => {
    const app = fastify({ handlerTimeout: 10 });
    const answered = new Promise<void>((resolve) => {
      const late: Handler = async () => {
        await once(app.server, 'answered');
        return new Response(new ReadableStream({ cancel: () => resolve() }));
      };
      app.register(toFastify(late));
    });
    const response = await fetch(`${await listen(app)}/a`);
    expect(response.status).toBe(503);
    app.server.emit('answered');
    await expect(answered).resolves.toBeUndefined();
  });

  test('requests may be injected without a socket', async () => {
    const app = fastify();
    app.register(toFastify(echo), { prefix: '/prefix' });
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/prefix/a', body: 'injected' });
    expect([statusCode, body]).toEqual([200, 'injected']);
    await app.close();
  });
});

describe('the mount point', () => {
  test('may have parameters and be nested', async () => {
    const app = fastify();
    app.register(
      (outer, _options, done) => {
        outer.register(toFastify(url), { prefix: '/inner' });
        done();
      },
      { prefix: '/:tenant' },
    );
    const response = await fetch(`${await listen(app)}/a%2Fb/inner/c%2Fd?e=%2F`);
    expect(await response.text()).toBe('http://localhost/c%2Fd?e=%2F');
  });

  test('a target without a path is answered with 400', async () => {
    const app = fastify({ rewriteUrl: (request) => (request.url === '/star' ? '*' : '/') });
    app.register(toFastify(url));
    const response = await fetch(`${await listen(app)}/star`);
    expect([400, 404]).toContain(response.status);
  });
});
