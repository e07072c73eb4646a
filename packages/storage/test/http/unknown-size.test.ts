import { type Fault, FaultyServer } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpSource } from '../../src/http/http-source.js';
import { ManualClock } from '../manual-clock.js';

const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => (index * 31) >> 2);
const headers = { 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' };
const version = `${headers['last-modified']} 1000`;
const NO_HEAD: Fault = { kind: 'status', status: 405 };
const NO_LENGTH: Fault = { kind: 'headers', headers: { 'content-length': undefined } };

let server: FaultyServer;

beforeEach(async () => {
  server = await FaultyServer.start({ bytes, headers });
});
afterEach(() => server.close());

/** A partial response of a server that does not know the size (RFC 9110 §14.4). */
function unknown(first: number, last: number): Fault {
  return { kind: 'headers', headers: { 'content-range': `bytes ${first}-${last}/*` } };
}

function open(): ReturnType<typeof httpSource> {
  return httpSource(`${server.origin}/object`, new ManualClock().options);
}

function requests(): string[] {
  return server.requests.map(({ method, headers: { range = 'all' } }) => `${method} ${range}`);
}

test('a range is read with the size that HEAD reports', async () => {
  server.fail(unknown(10, 19));
  expect(await open().read({ start: 10, end: 20 }, { version })).toEqual(bytes.slice(10, 20));
  expect(requests()).toEqual(['GET bytes=10-19', 'HEAD all']);
});

test('a range is clipped at that size, and one that ends before it is refused', async () => {
  server.fail(unknown(990, 999));
  expect(await open().read({ start: 990, end: 2_000 })).toEqual(bytes.slice(990));
  server.fail(unknown(980, 989));
  await expect(open().read({ start: 980, end: 2_000 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a size of another version is CHANGED', async () => {
  server.fail(unknown(10, 19));
  await expect(open().read({ start: 10, end: 20 }, { version: 'other' })).rejects.toMatchObject({ code: 'CHANGED' });
});

test('the size is the length of a whole response if HEAD is refused', async () => {
  server.fail(NO_HEAD, unknown(0, 0));
  expect(await open().stat()).toMatchObject({ size: 1_000, version });
  expect(requests()).toEqual(['HEAD all', 'GET bytes=0-0', 'GET all']);
});

test('a size that no response reports is UNAVAILABLE with the reason', async () => {
  const error = {
    code: 'UNAVAILABLE',
    message: 'the store does not report the size of the object',
    isTransient: false,
  };
  server.fail(NO_HEAD, unknown(0, 0), NO_LENGTH);
  await expect(open().stat()).rejects.toMatchObject(error);
  server.fail(unknown(10, 19), NO_HEAD, unknown(0, 0), NO_LENGTH);
  await expect(open().read({ start: 10, end: 20 })).rejects.toMatchObject(error);
});
