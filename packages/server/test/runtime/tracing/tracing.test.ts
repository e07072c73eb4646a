import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { createTracing } from '../../../src/runtime/tracing/create-tracing.js';
import { createOtlpTracing } from '../../../src/runtime/tracing/otlp-tracing.js';
import { startTestServer } from '../gate/test-server.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

function inMemory(sampleRatio?: number) {
  const exporter = new InMemorySpanExporter();
  const section = { endpoint: 'http://127.0.0.1:1/', sampleRatio };
  return { exporter, tracing: createOtlpTracing(section, new SimpleSpanProcessor(exporter)) };
}

function byName(spans: readonly ReadableSpan[]): Record<string, ReadableSpan> {
  return Object.fromEntries(spans.map((span) => [span.name, span]));
}

test('creates a span in the trace of the caller, with child spans for ticket and blocks', async () => {
  const { exporter, tracing } = inMemory();
  const server = await startTestServer(
    (_, outgoing) => {
      const name = { datatype: 'reads', id: 'a', format: 'BAM', milliseconds: 5, plannedBytes: 9 } as const;
      const answer = (): void => {
        server.gate.observeEvent({ type: 'ticket', ...name, blocks: 2 });
        server.gate.observeEvent({ type: 'block', ...name, bytes: 7, isComplete: false });
        server.gate.observeEvent({ type: 'cache', cache: 'index', isHit: true });
        outgoing.writeHead(503).end('busy');
      };
      // Later, as when something was read.
      setImmediate(answer);
    },
    { tracing },
  );
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, authorization: 'Bearer s3cret' };
  await (await fetch(`${server.url}/reads/a?x=s3cret`, { headers })).text();
  expect(await server.recorded(() => true)).toMatchObject({ traceId: TRACE });
  const spans = byName(exporter.getFinishedSpans());
  const request = spans['GET /reads/{id}'];
  expect(request?.parentSpanContext?.spanId).toBe(PARENT);
  expect(request?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/reads/{id}',
    'http.response.status_code': 503,
    'http.response.body.size': 4,
    'client.address': '127.0.0.1',
    'htskit.object': 'reads/a',
  });
  expect([request?.kind, request?.status.code]).toEqual([1, 2]);
  for (const name of ['htsget.ticket', 'htsget.block']) {
    expect(spans[name]?.parentSpanContext?.spanId, name).toBe(request?.spanContext().spanId);
    expect(spans[name]?.spanContext().traceId, name).toBe(TRACE);
    expect(spans[name]?.duration, name).toEqual([0, 5_000_000]);
  }
  expect(Object.keys(spans)).toHaveLength(3);
  await server.drain();
});

test('redacts the object of a span', async () => {
  const { exporter, tracing } = inMemory();
  const server = await startTestServer(
    (_, outgoing) => {
      const name = { datatype: 'reads', id: 'a?s3cret', format: 'BAM', milliseconds: 5, plannedBytes: 9 } as const;
      server.gate.observeEvent({ type: 'ticket', ...name, blocks: 2 });
      outgoing.end();
    },
    { tracing },
  );
  await fetch(`${server.url}/reads/a%3Fs3cret`);
  await server.recorded(() => true);
  const objects = exporter.getFinishedSpans().map((span) => span.attributes['htskit.object']);
  expect(objects).toEqual(['reads/a?[redacted]', 'reads/a?[redacted]']);
  await server.drain();
});

test('does not trace probes and requests whose caller decided against it', async () => {
  const { exporter, tracing } = inMemory();
  const server = await startTestServer((_, outgoing) => outgoing.end(), { tracing });
  await fetch(`${server.url}/reads/a`, { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } });
  await fetch(`${server.url}/healthz`);
  await server.recorded(() => true);
  expect(exporter.getFinishedSpans()).toEqual([]);
  await fetch(`${server.url}/reads/b`, { headers: { traceparent: 'nonsense' } });
  await server.recorded(({ object }) => object === 'reads/b');
  expect(exporter.getFinishedSpans()).toHaveLength(1);
  await server.drain();
});

test('traces with a ratio of 0 only what the caller decided to trace', async () => {
  const { exporter, tracing } = inMemory(0);
  const server = await startTestServer((_, outgoing) => outgoing.end(), { tracing });
  await fetch(`${server.url}/reads/a`);
  await fetch(`${server.url}/reads/b`, { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
  await server.recorded(({ object }) => object === 'reads/b');
  expect(exporter.getFinishedSpans().map((span) => span.attributes['htskit.object'])).toEqual(['reads/b']);
  await server.drain();
});

test('sends the spans to an OTLP receiver when the server closes', async () => {
  const bodies: string[] = [];
  const receiver = createServer((incoming, outgoing) => {
    incoming.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
    incoming.on('end', () => outgoing.setHeader('content-type', 'application/json').end('{}'));
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}/v1/traces`;
  const server = await startTestServer((_, outgoing) => outgoing.end(), {
    tracing: await createTracing({ endpoint, serviceName: 'a-service' }),
  });
  await fetch(`${server.url}/reads/a`, { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
  await server.recorded(() => true);
  await server.drain();
  expect(bodies.join('')).toContain(TRACE);
  expect(bodies.join('')).toContain('a-service');
  receiver.close();
  receiver.closeAllConnections();
});

test('names the packages to install if they are missing', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  const section = { endpoint: 'http://127.0.0.1:1/' };
  await expect(createTracing(section, () => Promise.reject(missing))).rejects.toThrow(
    /npm install @opentelemetry\/api .*@opentelemetry\/sdk-trace-base$/,
  );
  const other = new Error('it is broken');
  await expect(createTracing(section, () => Promise.reject(other))).rejects.toBe(other);
});

test('logs an unreachable receiver and delays neither requests nor the end', async () => {
  const server = await startTestServer((_, outgoing) => outgoing.end(), {
    tracing: await createTracing({ endpoint: 'http://127.0.0.1:1/v1/traces' }),
  });
  expect((await fetch(`${server.url}/reads/a`)).status).toBe(200);
  await server.recorded(() => true);
  await server.drain();
  expect(server.messages).toEqual([expect.stringContaining('cannot send the last spans: ')]);
});
