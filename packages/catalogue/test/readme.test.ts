import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ticket } from '@htskit/protocol';
import { expectations, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

const README = new URL('../README.md', import.meta.url);
const AUTHORIZED = { headers: { authorization: 'Bearer secret' } };

/** Runs an example that exports a server, and hands its address to `use`. */
function runServer(index: number, use: (origin: string) => Promise<void>): Promise<unknown> {
  return runReadmeExample(README, {
    index,
    replace: { 'listen(3000,': 'listen(0,' },
    use: async ({ server, close }) => {
      const listening = server as Server;
      if (!listening.listening) await once(listening, 'listening');
      try {
        await use(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`);
      } finally {
        listening.close();
        await (close as (() => Promise<void>) | undefined)?.();
      }
    },
  });
}

test('the example for Express serves a folder, restricted to the regions of each user', async () => {
  await runServer(0, async (origin) => {
    const reads = `${origin}/htsget/reads/reads`;
    expect((await fetch(reads)).status).toBe(401);
    expect((await fetch(`${reads}?referenceName=chr2`, AUTHORIZED)).status).toBe(403);
    expect((await fetch(`${origin}/htsget/reads/..%2Freads`, AUTHORIZED)).status).toBe(404);
    const answer = await fetch(`${reads}?referenceName=chr1&start=0&end=60000`, AUTHORIZED);
    const { htsget } = (await answer.json()) as Ticket;
    expect(htsget.urls.length).toBeGreaterThan(1);
    for (const { url } of htsget.urls.filter((block) => block.url.startsWith('http'))) {
      expect((await fetch(origin + new URL(url).pathname)).status).toBe(200);
    }
  });
});

test('the example of sequences serves a genome by digest', async () => {
  await runServer(1, async (origin) => {
    const [sequence] = expectations('genome.fa').sequences;
    const get = (): Promise<Response> => fetch(`${origin}/refget/sequence/${sequence?.md5}?start=10&end=20`);
    await expect.poll(async () => (await get()).status).toBe(200);
    expect(await (await get()).text()).toMatch(/^[A-Z]{10}$/);
  });
});
