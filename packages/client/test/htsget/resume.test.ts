import { createHash } from 'node:crypto';
import { dataUri, type Ticket } from '@htskit/protocol';
import { describe, expect, test } from 'vitest';
import { type HtsgetProgress, openTicket, type ResumeState, streamTicket } from '../../src/index.js';
import { type Answer, collect, type RecordingServer, serve, withoutDelays } from '../listen.js';
import { sendBytes, someBytes, someText } from '../resource-server.js';

const HEADER = someText(100);
const FIRST = someBytes(200_000);
const SECOND = someBytes(300_000);
const WHOLE = Buffer.concat([HEADER, FIRST, SECOND]);

/** URLs carry a key, as if it were a signature: those of key `old` have expired where a test says so. */
function ticketOf({ origin }: RecordingServer, key: string, { header = HEADER, hasMd5 = true } = {}): Ticket {
  const urls = [
    { url: dataUri(header) },
    { url: `${origin}/first?${key}` },
    { url: `${origin}/second?${key}`, headers: { range: `bytes=10-${SECOND.length + 9}`, authorization: key } },
  ];
  const md5 = createHash('md5').update(WHOLE).digest('hex');
  return { htsget: { format: 'VCFTEXT', urls, ...(hasMd5 && { md5 }) } };
}

interface StoreOptions {
  readonly first?: Uint8Array;
  readonly second?: Uint8Array;
  /** None for blocks without proof. */
  readonly etag?: string;
  /** Answers for the second block with an old key: by default as with any other. */
  readonly old?: Answer;
}

function store({ first = FIRST, second = SECOND, etag = '"1"', old }: StoreOptions = {}): Promise<RecordingServer> {
  const headers: Record<string, string> = etag === '' ? {} : { etag };
  const sendFirst: Answer = (request, response) => sendBytes(request, response, first, { headers });
  const sendSecond: Answer = (request, response) =>
    sendBytes(request, response, new Uint8Array([...new Uint8Array(10), ...second]), { headers });
  return serve({
    '/first?old': sendFirst,
    '/first?new': sendFirst,
    '/second?old': old ?? sendSecond,
    '/second?new': sendSecond,
  });
}

/** Reads at least so many bytes of a stream, and the state that is left. */
async function readSome(
  ticket: Ticket,
  length: number,
): Promise<{ readonly bytes: Buffer; readonly state: ResumeState }> {
  const { stream, resumeState } = openTicket(ticket, withoutDelays);
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    if (chunks.reduce((sum, part) => sum + part.length, 0) >= length) break;
  }
  return { bytes: Buffer.concat(chunks), state: JSON.parse(JSON.stringify(resumeState())) as ResumeState };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

describe('a later process', () => {
  test.each([50, 120_000, 200_100, 350_000])('continues after %i bytes with a new ticket', async (length) => {
    const server = await store();
    const { bytes, state } = await readSome(ticketOf(server, 'old'), length);
    expect(state.bytes).toBe(bytes.length);
    const resume = { state, received: oneChunk(bytes) };
    const rest = await collect(streamTicket(ticketOf(server, 'new'), { ...withoutDelays, resume }));
    expect(Buffer.concat([bytes, rest]).equals(WHOLE)).toBe(true);
  });

  test('that does not give what was received gets the rest without the digest of the whole', async () => {
    const server = await store();
    const { bytes, state } = await readSome(ticketOf(server, 'old'), 120_000);
    const rest = await collect(streamTicket(ticketOf(server, 'new'), { ...withoutDelays, resume: { state } }));
    expect(Buffer.concat([bytes, rest]).equals(WHOLE)).toBe(true);
  });

  test('goes back to the first block without a validator', async () => {
    const server = await store({ etag: '' });
    const { bytes, state } = await readSome(ticketOf(server, 'old'), 250_000);
    expect(state).toMatchObject({ bytes: HEADER.length, blocks: [{ bytes: HEADER.length, isComplete: true }] });
    const received = oneChunk(bytes.subarray(0, state.bytes));
    const rest = await collect(
      streamTicket(ticketOf(server, 'new'), { ...withoutDelays, resume: { state, received } }),
    );
    expect(Buffer.concat([bytes.subarray(0, state.bytes), rest]).equals(WHOLE)).toBe(true);
  });

  test.each<[string, StoreOptions, { header?: Uint8Array; hasMd5?: boolean }]>([
    ['another ETag', { etag: '"2"' }, {}],
    ['no ETag', { etag: '' }, {}],
    ['another length', { first: FIRST.subarray(1) }, {}],
    ['another header', {}, { header: someText(101) }],
    ['no digest', {}, { hasMd5: false }],
  ])('fails with CHANGED for %s instead of mixing files', async (_, changed, ticketOptions) => {
    const { state } = await readSome(ticketOf(await store(), 'old'), 350_000);
    const ticket = ticketOf(await store(changed), 'new', ticketOptions);
    const reading = collect(streamTicket(ticket, { ...withoutDelays, resume: { state } }));
    await expect(reading).rejects.toMatchObject({ name: 'HtsgetClientError', code: 'CHANGED' });
  });

  test('fails if the received bytes are not those of the state', async () => {
    const server = await store();
    const { bytes, state } = await readSome(ticketOf(server, 'old'), 120_000);
    const reading = (received: Uint8Array): Promise<Uint8Array> =>
      collect(
        streamTicket(ticketOf(server, 'new'), { ...withoutDelays, resume: { state, received: oneChunk(received) } }),
      );
    await expect(reading(bytes.subarray(0, -1))).rejects.toMatchObject({ code: 'INVALID_QUERY' });
    await expect(reading(bytes.map((byte, index) => (index < 50 ? byte : byte ^ 1)))).rejects.toMatchObject({
      code: 'DIGEST_MISMATCH',
    });
  });

  test.each([
    ['nothing', null],
    ['another object', {}],
    ['a block that is none', { shape: '', bytes: 0, blocks: [1] }],
    ['bytes that do not add up', { shape: '', bytes: 1, blocks: [] }],
    ['a negative count', { shape: '', bytes: -1, blocks: [{ bytes: -1, isComplete: true }] }],
    [
      'two incomplete blocks',
      {
        shape: '',
        bytes: 2,
        blocks: [
          { bytes: 1, isComplete: false },
          { bytes: 1, isComplete: false },
        ],
      },
    ],
  ])('refuses %s as a state', (_, state) => {
    const resume = { state: state as ResumeState };
    const ticket: Ticket = { htsget: { format: 'VCFTEXT', urls: [] } };
    expect(() => openTicket(ticket, { resume })).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }));
  });
});

describe('block URLs that have expired', () => {
  const refuse =
    (status: number): Answer =>
    (_request, response) =>
      response.writeHead(status).end();

  test.each([401, 403, 409, 410, 412])('with %i are replaced by those of a new ticket', async (status) => {
    const server = await store({ old: refuse(status) });
    const renew = async (): Promise<Ticket> => ticketOf(server, 'new');
    const bytes = await collect(streamTicket(ticketOf(server, 'old'), { ...withoutDelays, renew }));
    expect(Buffer.from(bytes).equals(WHOLE)).toBe(true);
  });

  test('in the middle of a block are replaced, and the block continues', async () => {
    const old: Answer = (request, response, count) => {
      if (count > 0) return response.writeHead(403).end();
      const bytes = new Uint8Array([...new Uint8Array(10), ...SECOND]);
      return sendBytes(request, response, bytes, { headers: { etag: '"1"' }, breaksAfter: 100_000 });
    };
    const server = await store({ old });
    const renew = async (): Promise<Ticket> => ticketOf(server, 'new');
    const bytes = await collect(streamTicket(ticketOf(server, 'old'), { ...withoutDelays, renew }));
    expect(Buffer.from(bytes).equals(WHOLE)).toBe(true);
    const last = server.requests.at(-1);
    expect([last?.url, last?.headers.range]).toEqual(['/second?new', `bytes=100010-${SECOND.length + 9}`]);
  });

  test('are EXPIRED errors without a new ticket, or if that is refused as well', async () => {
    const server = await store({ old: refuse(409) });
    let tickets = 0;
    const renew = async (): Promise<Ticket> => {
      tickets++;
      return ticketOf(server, 'old');
    };
    const error = { name: 'HtsgetClientError', code: 'EXPIRED', status: 409 };
    await expect(collect(streamTicket(ticketOf(server, 'old'), withoutDelays))).rejects.toMatchObject(error);
    await expect(collect(streamTicket(ticketOf(server, 'old'), { ...withoutDelays, renew }))).rejects.toMatchObject(
      error,
    );
    expect(tickets).toBe(1);
  });

  test.each<[string, StoreOptions]>([
    ['has changed', { etag: '"2"' }],
    ['has no proof', { etag: '' }],
  ])('lead to no mixed file where a block that was given out %s', async (_, changed) => {
    const server = await store({ old: refuse(403) });
    const other = await store(changed);
    const renew = async (): Promise<Ticket> => ticketOf(other, 'new');
    const reading = collect(streamTicket(ticketOf(server, 'old'), { ...withoutDelays, renew }));
    await expect(reading).rejects.toMatchObject({ code: 'CHANGED' });
  });

  test('may lead to another answer while no byte was given out', async () => {
    const server = await store({ old: refuse(403) });
    const ticket = ticketOf(server, 'old');
    const [, , second] = ticket.htsget.urls;
    if (second === undefined) throw new Error('no second block');
    const only: Ticket = { htsget: { format: 'VCFTEXT', urls: [second] } };
    const renew = async (): Promise<Ticket> => ticketOf(server, 'new');
    expect(Buffer.from(await collect(streamTicket(only, { ...withoutDelays, renew }))).equals(WHOLE)).toBe(true);
  });
});

test('progress counts bytes and blocks, and has the total once it is known', async () => {
  const server = await store();
  const events: HtsgetProgress[] = [];
  const onProgress = (progress: HtsgetProgress): number => events.push(progress);
  await collect(streamTicket(ticketOf(server, 'new'), { ...withoutDelays, onProgress }));
  expect(events[0]).toEqual({ bytes: HEADER.length, totalBytes: undefined, blocks: 0, totalBlocks: 3 });
  expect(events.at(-1)).toEqual({ bytes: WHOLE.length, totalBytes: WHOLE.length, blocks: 3, totalBlocks: 3 });
  expect(events.map(({ bytes }) => bytes)).toEqual(events.map(({ bytes }) => bytes).sort((a, b) => a - b));
});
