import { expect, test } from 'vitest';
import { FILES, IN_BUCKET, useReplicas } from './shared-replicas.js';

const REPLICAS = 50;
/** The blocks of a file, and the index that is built of it. */
const PARTS = 4;
const replicas = useReplicas({ isIndexed: false });

function keptIn(requests: readonly string[]): string[] {
  return requests.filter((request) => request.includes(' shared cache/'));
}

test('the first thousand tickets of a further replica take at most twice the requests of one that is warm', async () => {
  const { bucket, start, fetchTickets } = replicas();
  const first = await start(IN_BUCKET);
  const built = await fetchTickets(first, 1000);
  const puts = (): number => keptIn(bucket.requests).filter((request) => request.startsWith('PUT')).length;
  await expect.poll(puts).toBe(PARTS * FILES);
  const warm = await fetchTickets(first, 1000);
  const cold = await fetchTickets(await start(IN_BUCKET), 1000);
  expect(keptIn(warm)).toEqual([]);
  // One of the blocks is read only to build the index.
  expect(keptIn(cold)).toHaveLength((PARTS - 1) * FILES);
  expect(keptIn(cold).every((request) => request.startsWith('GET'))).toBe(true);
  expect(keptIn(built).length).toBeGreaterThanOrEqual(2 * PARTS * FILES);
  expect(cold.length).toBeLessThan(2 * warm.length);
});

test('of fifty replicas, the first one reads the files and writes to the cache', async () => {
  const { bucket, start, fetchTickets } = replicas();
  for (let replica = 0; replica < REPLICAS; replica++) {
    const server = await start(IN_BUCKET);
    await fetchTickets(server, FILES);
    const isFirst = replica === 0;
    const countOf = (method: RegExp): number => bucket.requests.filter((request) => method.test(request)).length;
    await expect.poll(() => countOf(/^PUT /)).toBe(isFirst ? PARTS * FILES : 0);
    expect(countOf(/^GET data\//) > 0).toBe(isFirst);
    await server.close();
  }
});
