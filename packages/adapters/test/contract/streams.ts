import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { deferred } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { exchange, type MountedServer, open } from './mounted-server.js';

type Server = () => MountedServer;

/** Number of chunks in 32 MiB. */
const CHUNK_COUNT = 512;
/** Bytes that may be in transit between the producer and a client, in the buffers of Node and of both sockets. */
const MAX_UNDER_WAY = 24_000_000;

/** Registers the tests of streamed response bodies. */
export function streamTests(server: Server): void {
  describe('streamed responses', () => {
    wholeStreamTests(server);
    backPressureTest(server);
    latencyTest(server);
  });
  describe('bodies of responses that fail', () => {
    failureTests(server);
  });
}

function wholeStreamTests(server: Server): void {
  test.each([
    ['with a length', { 'content-length': String(CHUNK.length * CHUNK_COUNT) }],
    ['without a length', {}],
  ])('32 MiB arrive %s', async (_, headers: Record<string, string>) => {
    server().handler = () => new Response(chunkStream(CHUNK_COUNT), { headers });
    const received = await exchange(server());
    const expected = createHash('sha256');
    for (let index = 0; index < CHUNK_COUNT; index += 1) expected.update(CHUNK);
    expect(received.headers['content-length']).toBe(headers['content-length']);
    expect(createHash('sha256').update(received.body).digest('hex')).toBe(expected.digest('hex'));
  });
}

function backPressureTest(server: Server): void {
  test('no more is produced than the client reads', async () => {
    let produced = 0;
    const isCancelled = deferred();
    server().handler = ({ url }) => {
      if (url.endsWith('/small')) return new Response('small');
      const onPull = (): void => {
        produced += CHUNK.length;
      };
      return new Response(chunkStream(CHUNK_COUNT * 16, { onPull, onCancel: isCancelled.resolve }));
    };
    const response = await open(server());
    await once(response, 'readable');
    // While this client reads nothing, the server answers others.
    for (let index = 0; index < 20; index += 1) await exchange(server(), { path: '/small' });
    expect(produced).toBeLessThan(MAX_UNDER_WAY);
    let received = 0;
    for await (const chunk of response) {
      received += (chunk as Buffer).length;
      expect(produced - received).toBeLessThan(MAX_UNDER_WAY);
      if (received > 2 * MAX_UNDER_WAY) break;
    }
    await expect(isCancelled.promise).resolves.toBeUndefined();
  });
}

function latencyTest(server: Server): void {
  test('a chunk is sent before the next one exists', async () => {
    const more = deferred();
    const steps = [() => Buffer.from('first'), () => more.promise.then(() => Buffer.from('second'))];
    server().handler = () => new Response(scriptedStream(steps));
    const response = await open(server());
    const [first] = (await once(response, 'data')) as [Buffer];
    expect(first.toString()).toBe('first');
    more.resolve();
    const [second] = (await once(response, 'data')) as [Buffer];
    expect(second.toString()).toBe('second');
  });
}

function failureTests(server: Server): void {
  async function fail(): Promise<never> {
    throw new Error('of the body');
  }

  test.each([
    ['with a length', { 'content-length': String(CHUNK.length * 2) }],
    ['without a length', {}],
  ])('a response %s is visibly truncated and the server survives', async (_, headers) => {
    const isReceived = deferred();
    const steps = [() => CHUNK, () => isReceived.promise.then(fail)];
    server().handler = () => new Response(scriptedStream(steps), { headers });
    const response = await open(server());
    await once(response, 'readable');
    isReceived.resolve();
    await expect(response.toArray()).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    server().handler = () => new Response('alive');
    expect((await exchange(server())).body.toString()).toBe('alive');
  });

  test.each([
    ['with a length', { 'content-length': '10' }],
    ['without a length', {}],
  ])('a response %s does not end normally if its body fails at once', async (_, headers) => {
    server().handler = () => new Response(scriptedStream([fail]), { headers });
    const outcome = exchange(server()).then(
      ({ status }) => status,
      () => 'truncated',
    );
    expect([500, 'truncated']).toContain(await outcome);
  });
}

/** A chunk of 64 KiB. */
export const CHUNK: Uint8Array = Uint8Array.from({ length: 65_536 }, (_, index) => (index * 7) % 256);

export interface ChunkStreamEvents {
  readonly onPull?: () => void;
  readonly onCancel?: () => void;
}

/** Creates a stream of `count` chunks, each of which is created when it is pulled. */
export function chunkStream(count: number, { onPull, onCancel }: ChunkStreamEvents = {}): ReadableStream<Uint8Array> {
  let left = count;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        onPull?.();
        if (left > 0) controller.enqueue(CHUNK);
        else controller.close();
        left -= 1;
      },
      cancel: () => onCancel?.(),
    },
    { highWaterMark: 0 },
  );
}

/** Creates a stream with one chunk per step. A step that throws errors the stream. */
export function scriptedStream(
  steps: ReadonlyArray<() => Uint8Array | Promise<Uint8Array>>,
  onCancel?: () => void,
): ReadableStream<Uint8Array> {
  const left = [...steps];
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = left.shift();
        if (step === undefined) controller.close();
        else controller.enqueue(await step());
      },
      cancel: () => onCancel?.(),
    },
    { highWaterMark: 0 },
  );
}
