import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ticket } from '@htskit/protocol';
import { extractExample, runReadmeExample } from '@htskit/testing';
import type { FastifyInstance } from 'fastify';
import type { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { decodeFile } from './decode-file.js';

const README = new URL('../README.md', import.meta.url);
const PATH = '/htsget/reads/NA12878?referenceName=chr1&start=1000&end=20000';

/** Requests a ticket and its first block that has a URL. */
async function askAll(ask: (path: string) => Promise<Response>, path = PATH): Promise<string> {
  const { htsget } = (await (await ask(path)).json()) as Ticket;
  const url = htsget.urls.find((block) => block.url.startsWith('http://127.0.0.1:3000/'))?.url;
  const block = await ask(new URL(url ?? 'http://none/none').pathname);
  return `${htsget.format}, a block with ${block.status} of ${(await block.arrayBuffer()).byteLength > 100 ? 'some' : 'no'} bytes`;
}

async function askServer(server: Server, path = PATH): Promise<string> {
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return askAll((asked) => fetch(`http://127.0.0.1:${port}${asked}`), path);
}

describe('in the README', () => {
  test('the example of a bare request prints a ticket', async () => {
    const { output } = await runReadmeExample(README, { index: 1 });
    expect(output).toMatch(/^200 \{\s+htsget: \{\s+format: 'BAM'/);
  });

  test('the example for Express serves tickets and blocks', async () => {
    const answers: string[] = [];
    await runReadmeExample(README, {
      replace: { 'listen(3000)': "listen(0, '127.0.0.1')" },
      use: async ({ server }) => {
        answers.push(await askServer(server as Server));
        (server as Server).close();
        (server as Server).closeAllConnections();
      },
    });
    expect(answers).toEqual(['BAM, a block with 200 of some bytes']);
  });

  test('the example for Hono serves tickets and blocks', async () => {
    const answers: string[] = [];
    await runReadmeExample(README, {
      index: 2,
      use: async ({ default: app }) => {
        answers.push(await askAll(async (path) => (app as Hono).request(path), `${PATH}&format=CRAM`));
      },
    });
    expect(answers).toEqual(['CRAM, a block with 200 of some bytes']);
  });

  test('the example for Fastify serves tickets and blocks', async () => {
    const answers: string[] = [];
    await runReadmeExample(README, {
      index: 3,
      replace: { 'port: 3000': "port: 0, host: '127.0.0.1'" },
      use: async ({ app }) => {
        const { server } = app as FastifyInstance;
        answers.push(await askServer(server, `${PATH.replace('/reads/', '/variants/')}&format=BCF`));
        await (app as FastifyInstance).close();
      },
    });
    expect(answers).toEqual(['BCF, a block with 200 of some bytes']);
  });

  test('the example without HTTP writes a file', async () => {
    const counts: number[] = [];
    await runReadmeExample(README, {
      index: 4,
      use: async () => {
        counts.push(decodeFile('BCF', await readFile('part.bcf')).records.length);
      },
    });
    expect(counts[0]).toBeGreaterThan(10);
  });

  test.each([0, 1, 2, 3])('example %i for a server has ten lines of code', async (index) => {
    const lines = extractExample(await readFile(README, 'utf8'), index).split('\n');
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(10);
  });
});
