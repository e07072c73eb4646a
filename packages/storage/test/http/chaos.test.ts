import type { ByteSource } from '@htskit/io';
import { StorageError } from '@htskit/io';
import { createRandom, type Fault, FaultyServer, volume } from '@htskit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cachedSource } from '../../src/cache/cached-source.js';
import { httpSource } from '../../src/http/http-source.js';
import { ManualClock } from '../manual-clock.js';

const ROUNDS = volume(400);
/** Consecutive faults: now and then as many as attempts. */
const MAX_FAULTS = 7;

const random = createRandom(20_261_121);
const below = (limit: number): number => Math.floor(random() * limit);
const original = Uint8Array.from({ length: 500_000 }, () => below(256));
const replacement = original.map((byte) => byte ^ 0xff);
const states = [
  { bytes: original, headers: { etag: '"one"' } },
  { bytes: replacement, headers: { etag: '"two"' } },
] as const;

const FAULTS: readonly (() => Fault)[] = [
  () => ({ kind: 'none' }),
  () => ({ kind: 'reset', ...(random() < 0.7 && { after: below(100_000) }) }),
  () => ({ kind: 'short', bytes: 1 + below(1_000) }),
  () => ({ kind: 'status', status: 500 + below(5) }),
  () => ({ kind: 'status', status: 503, headers: { 'retry-after': String(below(10)) } }),
];
/** Those that are not tried again. */
const LASTING_FAULTS: readonly (() => Fault)[] = [
  () => ({ kind: 'long', bytes: 1 + below(1_000) }),
  () => ({ kind: 'whole' }),
  () => ({ kind: 'status', status: [403, 404, 412, 416][below(4)] ?? 404 }),
  () => ({ kind: 'headers', headers: { 'content-range': `bytes ${below(9)}-${10 + below(9)}/500000` } }),
  () => ({ kind: 'headers', headers: { etag: [undefined, '"two"', 'W/"one"'][below(3)] } }),
];

let server: FaultyServer;
beforeAll(async () => {
  server = await FaultyServer.start(states[0]);
});
afterAll(() => server.close());

/** Reads a range while things go wrong: what came of it, which may be less than all where it ended in an error. */
async function readOnce(source: ByteSource): Promise<{ start: number; end: number; bytes: Buffer; error: unknown }> {
  const start = below(original.length);
  const range = { start, end: start + below(random() < 0.5 ? 2_000 : 400_000) };
  const end = Math.min(range.end, original.length);
  const chunks: Uint8Array[] = [];
  try {
    if (random() < 0.5) chunks.push(await source.read(range, { version: '"one"' }));
    else for await (const chunk of source.stream(range, { version: '"one"' })) chunks.push(chunk);
    return { start, end, bytes: Buffer.concat(chunks), error: undefined };
  } catch (error) {
    return { start, end, bytes: Buffer.concat(chunks), error };
  }
}

test.each([
  ['a source', (source: ByteSource): ByteSource => source],
  ['a cache over a source', (source: ByteSource): ByteSource => cachedSource(source, { blockBytes: 4_096 })],
])('whatever goes wrong, %s gives the right bytes or a StorageError', async (_, wrap) => {
  const clock = new ManualClock();
  const source = wrap(httpSource(`${server.origin}/object`, clock.options));
  const counts = { complete: 0, retried: 0, failed: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const kinds = random() < 0.2 ? [...FAULTS, ...LASTING_FAULTS] : FAULTS;
    for (let left = below(MAX_FAULTS); left > 0; left--)
      server.fail(kinds[below(kinds.length)]?.() ?? { kind: 'none' });
    server.object = states[random() < 0.1 ? 1 : 0];
    const waitCount = clock.waits.length;
    const { start, end, bytes, error } = await readOnce(source);
    if (!Buffer.from(original.subarray(start, start + bytes.length)).equals(bytes)) throw new Error('wrong bytes');
    if (error === undefined && bytes.length !== end - start) throw new Error('too few bytes, or too many');
    if (error !== undefined && !(error instanceof StorageError)) throw error;
    counts[error !== undefined ? 'failed' : clock.waits.length > waitCount ? 'retried' : 'complete']++;
    server.recover();
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(volume(40));
});
