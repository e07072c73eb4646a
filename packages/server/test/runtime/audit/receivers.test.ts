import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessEvent } from '@htskit/htsget';
import { fixturePath, JsonServer } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { AuditLog } from '../../../src/runtime/audit/audit-log.js';
import { openAuditDestination } from '../../../src/runtime/audit/open-destination.js';
import { openSyslog, parseSyslogReceiver } from '../../../src/runtime/audit/syslog.js';
import { type RunningServer, type ServeOptions, serve } from '../../../src/runtime/serve.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-audit-'));
  cpSync(fixturePath('reads.bam'), join(folder, 'a.bam'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const event: AccessEvent = {
  type: 'access',
  resource: 'ticket',
  object: { datatype: 'reads', id: 'ä' },
  format: 'BAM',
  regions: undefined,
  isRestricted: false,
  subject: 'alice',
  requestId: 'r1',
  status: 200,
  bytes: 5,
  outcome: 'completed',
};

function open(audit: NonNullable<ServeOptions['audit']>): { readonly log: AuditLog; readonly lost: () => number } {
  let lost = 0;
  const log = new AuditLog(openAuditDestination(audit), {
    whenFull: 'drop',
    log: () => undefined,
    onLost: (count) => {
      lost += count;
    },
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    now: () => new Date('2030-01-01T00:00:00Z'),
  });
  return { log, lost: () => lost };
}

/** Returns the parts of a message of RFC 5424. */
function parseMessage(message: string): Readonly<Record<string, string | undefined>> {
  const pattern =
    /^<(?<priority>\d+)>1 (?<time>\S+) (?<host>\S+) (?<app>\S+) (?<pid>\d+) (?<id>\S+) - (?<json>\{.*\})$/s;
  return pattern.exec(message)?.groups ?? {};
}

/** A receiver of streams that keeps what it was sent. */
async function receiver(path?: string): Promise<{ readonly server: Server; text: string; readonly sockets: Socket[] }> {
  const received = { server: createServer(), text: '', sockets: [] as Socket[] };
  received.server.on('connection', (socket) => {
    received.sockets.push(socket);
    socket.on('data', (chunk) => {
      received.text += chunk.toString();
    });
    socket.on('error', () => undefined);
  });
  received.server.listen(path ?? { port: 0, host: '127.0.0.1' });
  await once(received.server, 'listening');
  onTestFinished(() => {
    for (const socket of received.sockets) socket.destroy();
    received.server.close();
  });
  return received;
}

/** Splits messages that are preceded by their lengths in bytes. */
function splitMessages(text: string): string[] {
  const bytes = Buffer.from(text);
  const messages: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at);
    const end = space + 1 + Number(bytes.toString('utf8', at, space));
    messages.push(bytes.toString('utf8', space + 1, end));
    at = end;
  }
  return messages;
}

describe('syslog', () => {
  test.each([
    ['udp://a.example', { transport: 'udp', host: 'a.example', port: 514 }],
    ['tcp://a.example:601', { transport: 'tcp', host: 'a.example', port: 601 }],
    ['tls://[::1]', { transport: 'tls', host: '::1', port: 6514 }],
    ['unix:/run/log.sock', { transport: 'unix', path: '/run/log.sock' }],
    ['unix:///run/log.sock', { transport: 'unix', path: '/run/log.sock' }],
  ])('%s names a receiver', (text, expected) => {
    expect(parseSyslogReceiver(text)).toEqual(expected);
  });

  test.each([
    '',
    'a.example',
    'http://a.example',
    'udp://',
    'udp://a.example/x',
    'tcp://user@a.example',
    'unix:log',
    'tcp://a:x',
  ])('%j names none', (text) => {
    expect(parseSyslogReceiver(text)).toBeUndefined();
    expect(() => openSyslog(text)).toThrow(RangeError);
  });

  test('over UDP has a record in each datagram', async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    onTestFinished(() => void socket.close());
    const received: string[] = [];
    socket.on('message', (message) => received.push(message.toString()));
    const { log } = open({ syslog: `udp://127.0.0.1:${socket.address().port}` });
    log.record(event);
    log.record({ ...event, requestId: 'r2' });
    await expect.poll(() => received.length).toBe(2);
    const { json = '', ...parts } = parseMessage(received[0] ?? '');
    expect(parts).toMatchObject({ priority: '110', time: '2030-01-01T00:00:00.000Z', app: 'htskit', id: 'ticket' });
    expect(JSON.parse(json)).toMatchObject({ requestId: 'r1', subject: 'alice', object: 'reads/ä', bytes: 5 });
    await log.close();
  });

  test.each(['tcp', 'unix'])('over %s has the length of each record', async (transport) => {
    const path = transport === 'unix' ? join(folder, 'log.sock') : undefined;
    const received = await receiver(path);
    const address = received.server.address();
    const { log, lost } = open({
      syslog: path === undefined ? `tcp://127.0.0.1:${(address as AddressInfo).port}` : `unix:${path}`,
    });
    for (let i = 0; i < 20; i++) log.record({ ...event, requestId: `r${i}` });
    await expect.poll(() => splitMessages(received.text).length).toBe(20);
    const ids = splitMessages(received.text).map(
      (message) => JSON.parse(parseMessage(message)['json'] ?? '{}') as object,
    );
    expect(ids).toMatchObject(Array.from({ length: 20 }, (_, index) => ({ requestId: `r${index}` })));
    await log.close();
    expect(lost()).toBe(0);
  });

  test('over TCP waits for a receiver that is not there, and connects again', async () => {
    const first = await receiver();
    const { port } = first.server.address() as AddressInfo;
    for (const socket of first.sockets) socket.destroy();
    first.server.close();
    await once(first.server, 'close');
    const { log, lost } = open({ syslog: `tcp://127.0.0.1:${port}` });
    log.record(event);
    await expect.poll(() => log.isFailing).toBe(true);
    const second = await receiver();
    expect(lost()).toBe(0);
    await log.close();
    expect(lost()).toBe(1);
    second.server.close();
  });

  test('drops and counts records beyond a megabyte while the receiver reads nothing', async () => {
    const received = await receiver();
    received.server.on('connection', (socket) => socket.pause());
    const { port } = received.server.address() as AddressInfo;
    const { log, lost } = open({ syslog: `tcp://127.0.0.1:${port}` });
    await expect.poll(() => received.sockets.length).toBe(1);
    const object = { datatype: 'reads', id: 'x'.repeat(10_000) } as const;
    // Far more than the buffers of both ends.
    for (let i = 0; i < 3000 && lost() === 0; i++) log.record({ ...event, object });
    expect(lost()).toBeGreaterThan(0);
    expect(log.refusesRequests).toBe(false);
    for (const socket of received.sockets) socket.destroy();
    await log.close();
  });
});

describe('OTLP', () => {
  interface Export {
    readonly resourceLogs: readonly [
      { readonly scopeLogs: readonly [{ readonly logRecords: readonly { readonly body: { stringValue: string } }[] }] },
    ];
  }

  function recordsOf(bodies: readonly string[]): readonly Record<string, unknown>[] {
    return bodies.flatMap((body) =>
      (JSON.parse(body) as Export).resourceLogs[0].scopeLogs[0].logRecords.map(
        (record) => JSON.parse(record.body.stringValue) as Record<string, unknown>,
      ),
    );
  }

  test('has the records in batches', async () => {
    const collector = await JsonServer.start({});
    onTestFinished(() => collector.stop());
    const { log, lost } = open({ otlp: `${collector.url}v1/logs` });
    for (let i = 0; i < 50; i++) log.record({ ...event, requestId: `r${i}` });
    await log.close();
    expect(recordsOf(collector.bodies).map(({ requestId }) => requestId)).toEqual(
      Array.from({ length: 50 }, (_, index) => `r${index}`),
    );
    expect(collector.bodies.length).toBeLessThan(5);
    expect(JSON.parse(collector.bodies[0] ?? '')).toMatchObject({
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'htskit' } }] },
          scopeLogs: [
            {
              logRecords: [
                {
                  timeUnixNano: '1893456000000000000',
                  severityNumber: 9,
                  eventName: 'htskit.audit',
                  attributes: expect.arrayContaining([
                    { key: 'htskit.subject', value: { stringValue: 'alice' } },
                  ]) as unknown,
                },
              ],
            },
          ],
        },
      ],
    });
    expect(lost()).toBe(0);
  });

  test('keeps what the receiver refused, and sends it again', async () => {
    const collector = await JsonServer.start({});
    onTestFinished(() => collector.stop());
    const { answer } = collector;
    collector.answer = (response) => response.writeHead(503).end();
    const { log, lost } = open({ otlp: collector.url });
    log.record(event);
    await expect.poll(() => collector.bodies.length).toBeGreaterThan(0);
    log.record({ ...event, requestId: 'r2' });
    const refused = collector.bodies.length;
    collector.answer = answer;
    await expect.poll(() => recordsOf(collector.bodies.slice(refused)).length).toBeGreaterThanOrEqual(2);
    await log.close();
    expect(lost()).toBe(0);
  });
});

test('a server sends its records to a receiver', async () => {
  const collector = await JsonServer.start({});
  onTestFinished(() => collector.stop());
  const shared = { host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
  const server: RunningServer = await serve({ ...shared, paths: [folder], audit: { otlp: collector.url } });
  await (await fetch(`${server.url}/reads/a`, { headers: { 'x-request-id': 'q1' } })).text();
  await server.close();
  expect(collector.bodies.join('')).toContain('\\"requestId\\":\\"q1\\"');
});
