import { expect, test } from 'vitest';
import { FILES, IN_BUCKET, useReplicas } from './shared-replicas.js';

const replicas = useReplicas();

function keptIn(requests: readonly string[]): string[] {
  return requests.filter((request) => request.includes(' shared cache/'));
}

test('the first thousand tickets of a further replica take at most twice the requests of one that is warm', async () => {
  const { bucket, start, fetchTickets } = replicas();
  const first = await start(IN_BUCKET);
  const built = await fetchTickets(first, 1000);
  await expect.poll(() => keptIn(bucket.requests).filter((request) => request.startsWith('PUT')).length).toBe(FILES);
  const warm = await fetchTickets(first, 1000);
  const cold = await fetchTickets(await start(IN_BUCKET), 1000);
  expect(keptIn(warm)).toEqual([]);
  expect(keptIn(cold)).toHaveLength(FILES);
  expect(keptIn(cold).every((request) => request.startsWith('GET'))).toBe(true);
  expect(keptIn(built).length).toBeGreaterThanOrEqual(2 * FILES);
  expect(cold.length).toBeLessThan(2 * warm.length);
});
