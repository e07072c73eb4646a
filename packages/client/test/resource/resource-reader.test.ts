import { expect, test } from 'vitest';
import { createClientTransport, HtsgetClientError } from '../../src/client-error.js';
import type { TransportOptions } from '../../src/index.js';
import { ResourceReader } from '../../src/resource/resource-reader.js';
import { withoutDelays } from '../listen.js';
import { someBytes } from '../resource-server.js';

const BYTES = someBytes(3000);

interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: Uint8Array;
  /** Whether the connection breaks after the body. */
  readonly isBroken?: boolean;
}

function toResponse({ status = 200, headers = {}, body, isBroken = false }: FakeAnswer): Response {
  const chunks = [body.slice()];
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (isBroken) controller.error(new Error('reset'));
      else controller.close();
    },
  });
  return new Response(stream, { status, headers });
}

/** Returns what a reader returns for these answers in turn. */
async function read(
  answers: readonly FakeAnswer[],
  { headers = {}, ...options }: TransportOptions & { readonly headers?: Record<string, string> } = {},
): Promise<{ readonly bytes: Buffer; readonly requests: number }> {
  let requests = 0;
  const fetch = async (): Promise<Response> => {
    const answer = answers[requests++];
    if (answer === undefined) throw new Error('no more requests were expected');
    return toResponse(answer);
  };
  const transport = createClientTransport({ ...withoutDelays, retries: 2, fetch, ...options }, HtsgetClientError);
  const part = { resource: { url: 'https://host/1', headers }, start: 0, end: undefined, isSplit: false };
  const chunks: Uint8Array[] = [];
  for await (const chunk of new ResourceReader(part, { transport }).read()) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), requests };
}

const RANGES = { 'accept-ranges': 'bytes', 'content-length': String(BYTES.length) };
const FIRST = { headers: { ...RANGES, etag: '"1"' }, body: BYTES.subarray(0, 1000), isBroken: true };

function rest(start: number, headers: Record<string, string> = {}): FakeAnswer {
  const contentRange = `bytes ${start}-${BYTES.length - 1}/${BYTES.length}`;
  return { status: 206, headers: { 'content-range': contentRange, ...headers }, body: BYTES.subarray(start) };
}

test('a broken response is completed by a range of the same version', async () => {
  const { bytes } = await read([FIRST, rest(1000, { etag: '"1"' })]);
  expect(bytes.equals(BYTES)).toBe(true);
});

test('a range of another version completes nothing', async () => {
  await expect(read([FIRST, rest(1000, { etag: '"2"' })])).rejects.toMatchObject({ code: 'CHANGED' });
});

test('a range of a resource of another length completes nothing', async () => {
  const headers = { 'content-range': 'bytes 1000-1999/2000' };
  const longer = { status: 206, headers, body: BYTES.subarray(1000, 2000) };
  await expect(read([FIRST, longer])).rejects.toMatchObject({ code: 'CHANGED' });
});

test('a restarted response must reach the byte where it broke', async () => {
  const first = { body: BYTES.subarray(0, 1000), isBroken: true };
  await expect(read([first, { body: BYTES.subarray(0, 999) }])).rejects.toMatchObject({ code: 'CHANGED' });
  expect((await read([first, { body: BYTES.subarray(0, 1000) }])).bytes.length).toBe(1000);
});

test('a connection that breaks after the last byte is complete', async () => {
  const { bytes, requests } = await read([{ headers: RANGES, body: BYTES, isBroken: true }]);
  expect([bytes.equals(BYTES), requests]).toEqual([true, 1]);
});

test('failures with a MiB between them do not add up', async () => {
  const length = 2 ** 20;
  const body = new Uint8Array(length);
  const total = 6 * length;
  const answers = Array.from({ length: 6 }, (_, rank): FakeAnswer => {
    const start = rank * length;
    const contentRange = `bytes ${start}-${total - 1}/${total}`;
    return rank === 0
      ? { headers: { ...RANGES, 'content-length': String(total) }, body, isBroken: true }
      : { status: 206, headers: { 'content-range': contentRange }, body, isBroken: true };
  });
  const { bytes, requests } = await read(answers, { retries: 1 });
  expect([bytes.length, requests]).toEqual([total, 6]);
});

test('a store that ignores If-Match and sends another version is CHANGED', async () => {
  const answer = { headers: { ...RANGES, etag: '"2"' }, body: BYTES };
  const reading = read([answer], { headers: { 'if-match': '"1"' } });
  await expect(reading).rejects.toMatchObject({ code: 'CHANGED', isTransient: false });
});

test.each([
  ['"1"', { etag: '"1"' }],
  ['"1"', { etag: 'W/"2"' }],
  ['"1"', { 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' }],
  ['"1", "2"', { etag: '"2"' }],
  ['*', { etag: '"2"' }],
])('for If-Match %s the answer of %o may be right', async (ifMatch, told) => {
  const { bytes } = await read([{ headers: { ...RANGES, ...told }, body: BYTES }], {
    headers: { 'if-match': ifMatch },
  });
  expect(bytes.equals(BYTES)).toBe(true);
});

test('a Retry-After over two minutes is a failure', async () => {
  const busy = { status: 503, headers: { 'retry-after': '121' }, body: new Uint8Array() };
  const reading = read([busy, { body: BYTES }]);
  await expect(reading).rejects.toMatchObject({ status: 503, retryAfterMilliseconds: 121_000, isTransient: true });
});

test('the length of an encoded response is not checked', async () => {
  const { bytes } = await read([{ headers: { 'content-encoding': 'gzip', 'content-length': '10' }, body: BYTES }]);
  expect(bytes.equals(BYTES)).toBe(true);
});
