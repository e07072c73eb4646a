import { toNodeListener } from '@htskit/adapters/node';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, test } from 'vitest';
import { createLogger } from '../../../src/runtime/logger.js';
import { createOtlpTracing } from '../../../src/runtime/tracing/otlp-tracing.js';
import { send, startTestServer, type TestServer } from '../gate/test-server.js';
import { createDocumentedService, type DocumentedService } from '../openapi/documented-service.js';

const running: TestServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.server.closeAllConnections();
    await server.drain();
  }
});

/** An endless source of bytes, and a promise of the moment when it is cancelled. */
function endless(): { readonly response: Response; readonly cancelled: Promise<void> } {
  let tell: () => void = () => undefined;
  const cancelled = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    cancel: () => tell(),
  });
  return { response: new Response(body), cancelled };
}

test.each([
  ['stops to read', (socket: { pause(): void }) => socket.pause()],
  ['vanishes', (socket: { resetAndDestroy(): void }) => socket.resetAndDestroy()],
])('releases the streams of a client that %s', async (_, leave) => {
  const { response, cancelled } = endless();
  const limits = { stallSeconds: 0.05, bytesPerSecond: 10_000_000 };
  const server = await startTestServer(
    toNodeListener(() => response),
    { limits },
  );
  running.push(server);
  const socket = await send(server.port, 'GET /blocks/x HTTP/1.1\r\nHost: a\r\n\r\n');
  leave(socket);
  await cancelled;
  expect(await server.recorded(() => true)).toMatchObject({
    status: expect.any(Number) as number,
    route: '/blocks/{token}',
  });
  expect(server.gate.inFlight.size).toBe(0);
  socket.destroy();
});

test('logs, metrics and spans have the object of a block but no token, cookie, query or block URL', async () => {
  const lines: string[] = [];
  const exporter = new InMemorySpanExporter();
  const logger = createLogger(
    { format: 'json', level: 'debug' },
    { stream: { write: (line) => void lines.push(line) } },
  );
  const tracing = createOtlpTracing({ endpoint: 'http://127.0.0.1:1/' }, new SimpleSpanProcessor(exporter));
  let service: DocumentedService | undefined;
  const server = await startTestServer(
    toNodeListener((request) => service?.handler(request) ?? new Response(null, { status: 503 })),
    { logger, tracing },
  );
  running.push(server);
  service = await createDocumentedService(server.url);
  const secret = 's3cretS3cret';
  const headers = {
    authorization: `Bearer ${secret}`,
    cookie: `session=${secret}`,
    'x-request-id': `Bearer ${secret}`,
  };
  const ticket = await fetch(`${server.url}/reads/a?token=${secret}`, { headers });
  const { htsget } = (await ticket.json()) as { htsget: { urls: { url: string }[] } };
  const urls = htsget.urls.map(({ url }) => url).filter((url) => url.startsWith('http'));
  const tokens = urls.map((url) => url.split('/blocks/')[1] ?? '');
  for (const url of urls) await (await fetch(`${url}?X-Amz-Signature=${secret}`, { headers })).arrayBuffer();
  // The content of a forged token may be false.
  await fetch(`${server.url}/blocks/${btoa('{"datatype":"reads","id":"forged"}')}.${secret}`);
  await fetch(`${server.url}/reads/broken?${secret}`, { headers });
  await fetch(`${server.url}/nowhere/${secret}`);
  await expect.poll(() => lines.length).toBe(urls.length + 4);
  const told = [lines.join(''), await server.metrics.read(), JSON.stringify(exporter.getFinishedSpans().map(toPlain))];
  expect(tokens.length).toBeGreaterThan(0);
  for (const text of told) {
    for (const hidden of [secret, 'forged', ...tokens]) expect(text).not.toContain(hidden);
  }
  const records = lines.map((line) => JSON.parse(line) as { route: string; object?: string; status: number });
  const blocks = records.filter(({ route }) => route === '/blocks/{token}');
  expect(blocks.map(({ status, object }) => [status, object])).toEqual([
    ...urls.map(() => [200, 'reads/a']),
    [403, undefined],
  ]);
});

function toPlain({ name, attributes, events, status }: ReturnType<InMemorySpanExporter['getFinishedSpans']>[number]) {
  return { name, attributes, events, status };
}
