import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { deferred } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { exchange, type MountedServer, open, start } from './mounted-server.js';
import { CHUNK, chunkStream, scriptedStream } from './streams.js';

type Server = () => MountedServer;

/** Registers the tests of clients that disconnect. */
export function disconnectTests(server: Server): void {
  describe('clients that go away', () => {
    duringResponseTests(server);
    beforeResponseTests(server);
  });
}

function duringResponseTests(server: Server): void {
  test('in the middle of a response, its body is cancelled and the signal is aborted', async () => {
    const isCancelled = deferred();
    const signals: AbortSignal[] = [];
    server().handler = ({ signal }) => {
      signals.push(signal);
      return new Response(chunkStream(10_000, { onCancel: isCancelled.resolve }));
    };
    const response = await open(server());
    await once(response, 'readable');
    response.destroy();
    await expect(isCancelled.promise).resolves.toBeUndefined();
    await Promise.all(signals.map(aborted));
    expect(signals).toHaveLength(1);
  });

  test('while the response waits for its body, the body is cancelled', async () => {
    const isCancelled = deferred();
    const steps = [() => CHUNK, () => new Promise<never>(() => {})];
    server().handler = () => new Response(scriptedStream(steps, isCancelled.resolve));
    const response = await open(server());
    await once(response, 'readable');
    response.destroy();
    await expect(isCancelled.promise).resolves.toBeUndefined();
  });
}

function beforeResponseTests(server: Server): void {
  test('before the response, the signal is aborted, and a body that the handler returns anyway is cancelled', async () => {
    const isAsked = deferred();
    const isCancelled = deferred();
    server().handler = async ({ signal }) => {
      isAsked.resolve();
      await aborted(signal);
      return new Response(chunkStream(1, { onCancel: isCancelled.resolve }));
    };
    const outgoing = startGet(server());
    await isAsked.promise;
    outgoing.destroy();
    await expect(isCancelled.promise).resolves.toBeUndefined();
  });

  test('before the response, a handler may reject and the server survives', async () => {
    const isAsked = deferred();
    const isAborted = deferred();
    server().handler = async ({ signal }) => {
      isAsked.resolve();
      await aborted(signal);
      isAborted.resolve();
      throw signal.reason;
    };
    const outgoing = startGet(server());
    await isAsked.promise;
    outgoing.destroy();
    await isAborted.promise;
    server().handler = () => new Response('alive');
    expect((await exchange(server())).body.toString()).toBe('alive');
  });
}

/** Resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Starts a GET whose connection the test may destroy. */
function startGet(server: MountedServer): ClientRequest {
  const outgoing = start(server, {});
  outgoing.on('error', () => {});
  outgoing.end();
  return outgoing;
}
