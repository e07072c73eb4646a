import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the first example in the README requests tokens for both protocols', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(output).toBe('401 Bearer scope="read:genomic_reads"\n401 Bearer\n');
});

test('the example of another endpoint answers by the permission', async () => {
  await runReadmeExample(new URL('../README.md', import.meta.url), {
    index: 2,
    use: async ({ serveFile }) => {
      const serve = serveFile as (access: object, request: Request, id: string) => Promise<Response>;
      const statusOf = async (decide: () => Promise<unknown>): Promise<number> =>
        (await serve({ decide }, new Request('http://a.example/'), 'a')).status;
      const { AuthError } = await import('../src/auth-error.js');
      expect(await statusOf(async () => 'all')).toBe(200);
      expect(await statusOf(async () => ({ regions: [] }))).toBe(403);
      expect(await statusOf(() => Promise.reject(new AuthError('UNAUTHENTICATED', 'no token')))).toBe(401);
      expect(await statusOf(() => Promise.reject(new AuthError('UNAVAILABLE', 'later')))).toBe(503);
    },
  });
});

test('the example of passports refuses a token that is not a passport', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url), { index: 1 });
  expect(output).toBe('UNAUTHENTICATED the token is not a passport\n');
});
