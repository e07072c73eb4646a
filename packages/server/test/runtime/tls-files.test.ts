import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TlsFiles } from '../../src/runtime/tls-files.js';
import { readAll, send, startTestServer } from './gate/test-server.js';

let folder: string;
const messages: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  messages.length = 0;
});

afterEach(() => rmSync(folder, { recursive: true }));

function put(certificate: string, key = certificate): void {
  const from = (name: string): string => fileURLToPath(new URL(`certificates/${name}`, import.meta.url));
  copyFileSync(from(`${certificate}.cert.pem`), join(folder, 'cert.pem'));
  copyFileSync(from(`${key}.key.pem`), join(folder, 'key.pem'));
}

function openFiles(pollMilliseconds = 60_000): Promise<TlsFiles> {
  const log = (message: string): void => void messages.push(message);
  return TlsFiles.open({ cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }, { log, pollMilliseconds });
}

async function handshake(port: number, options: object = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

async function subjectOf(port: number): Promise<unknown> {
  const socket = await handshake(port);
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return CN;
}

test('over TLS, an idle connection makes room, be its handshake complete or not', async () => {
  put('first');
  const tls = await openFiles();
  const held: unknown[] = [];
  const limits = { connections: 2 };
  const server = await startTestServer((_, outgoing) => void held.push(outgoing), { tls, limits });
  const silent = await send(server.port, '');
  const idle = await handshake(server.port);
  const busy = await handshake(server.port);
  expect(await readAll(silent)).toBe('');
  busy.on('error', () => undefined).write('GET /reads/a HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => held.length).toBe(1);
  const closed = once(idle.on('error', () => undefined).resume(), 'close');
  const last = await handshake(server.port);
  await closed;
  expect(await server.metric('htskit_http_refused_connections_total{reason="idle"}')).toBe(2);
  expect([busy.closed, last.closed]).toEqual([false, false]);
  for (const socket of [busy, last]) socket.destroy();
  tls.close();
  await server.drain();
});

test('answers, records and cuts off requests over TLS', async () => {
  put('first');
  const tls = await openFiles();
  const server = await startTestServer(
    (_, outgoing) => {
      const fill = (): void => {
        while (!outgoing.destroyed && outgoing.write(Buffer.alloc(65_536)));
      };
      outgoing.on('drain', fill);
      fill();
    },
    { tls, limits: { stallSeconds: 0.05, bytesPerSecond: 10_000_000 } },
  );
  const healthz = request(`${server.url}/healthz`, { rejectUnauthorized: false }).end();
  const [response] = (await once(healthz, 'response')) as [{ statusCode: number }];
  expect(response.statusCode).toBe(200);
  const socket = await handshake(server.port);
  socket.on('error', () => undefined).write('GET /blocks/x HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.pause();
  expect(await server.recorded(() => true)).toMatchObject({ outcome: 'slow', client: '127.0.0.1' });
  socket.destroy();
  tls.close();
  await server.drain();
});

test('uses a changed certificate for new connections without a restart', async () => {
  put('first');
  const tls = await openFiles(20);
  const server = await startTestServer((_, outgoing) => outgoing.end(), { tls });
  expect(await subjectOf(server.port)).toBe('first');
  put('second');
  await expect.poll(() => subjectOf(server.port)).toBe('second');
  tls.close();
  await server.drain();
});

test('keeps the certificate and logs an error for invalid files', async () => {
  put('first');
  const tls = await openFiles();
  const server = await startTestServer((_, outgoing) => outgoing.end(), { tls });
  put('second', 'first');
  await tls.reload();
  writeFileSync(join(folder, 'cert.pem'), 'nonsense');
  await tls.reload();
  expect(messages).toEqual([
    expect.stringMatching(/^cannot reload the TLS certificate, keeping the current one: .*key values mismatch/),
    expect.stringMatching(/^cannot reload the TLS certificate, keeping the current one: /),
  ]);
  expect(await subjectOf(server.port)).toBe('first');
  put('second');
  await tls.reload();
  expect([await subjectOf(server.port), messages[2]]).toEqual(['second', 'reloaded the TLS certificate']);
  tls.close();
  await server.drain();
});

test('fails to start with invalid files', async () => {
  put('second', 'first');
  await expect(openFiles()).rejects.toThrow('key values mismatch');
  rmSync(join(folder, 'key.pem'));
  await expect(openFiles()).rejects.toThrow('ENOENT');
});

test('refuses TLS 1.1 and unfinished handshakes', async () => {
  put('first');
  const tls = await openFiles();
  const server = await startTestServer((_, outgoing) => outgoing.end(), { tls, limits: { headerSeconds: 0.05 } });
  const options = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
  await expect(handshake(server.port, options)).rejects.toThrow(/protocol version|unsupported protocol/);
  expect(await readAll(await send(server.port, '\u0016'))).not.toContain('HTTP');
  tls.close();
  await server.drain();
});
