import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Bomb, createBombs } from './bombs/bombs.js';
import { start } from './built-command.js';

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const MEMORY_BYTES = 600_000_000;
const CLIENTS = 16;
/** Bytes of an answer after which a client leaves. */
const ENOUGH_BYTES = 20_000_000;
/** Longer than every limit. */
const BOMB_BYTES = 300_000_000;

/** The answers that name the limit or say that memory is used up, and those that need no such memory. */
const ANSWERS = /^(whole|broken|500 .*(limit|memory|corrupt).*|503 .*)$/;

/** Downloads what a path names, and returns how that ended. */
async function download(url: string): Promise<string> {
  const answer = await fetch(url);
  if (answer.status !== 200) return `${answer.status} ${(await answer.text()).replaceAll('\n', ' ')}`;
  const ticket = (await answer.json()) as { readonly htsget: { readonly urls: readonly { readonly url: string }[] } };
  for (const { url: blockUrl } of ticket.htsget.urls) {
    const block = await fetch(blockUrl);
    if (block.status !== 200) return `${block.status} ${await block.text()}`;
    let byteLength = 0;
    try {
      for await (const chunk of block.body ?? []) {
        byteLength += chunk.length;
        if (byteLength > ENOUGH_BYTES) return 'whole';
      }
    } catch {
      return 'broken';
    }
  }
  return 'whole';
}

/** Returns the most memory that a process has had, in bytes. */
function peakMemory(pid: number | undefined): number {
  return 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function write({ what, files }: Bomb): string {
  const folder = join(scratch, what.replaceAll(' ', '-'));
  mkdirSync(folder);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const config = join(folder, 'htskit.yaml');
  const limits = `limits: { memoryBytes: ${MEMORY_BYTES} }`;
  writeFileSync(config, `${limits}\nhtsget: { locations: [{ location: ${JSON.stringify(folder)} }] }\n`);
  return config;
}

test.runIf(process.platform === 'linux').each(createBombs(BOMB_BYTES).map((bomb) => [bomb.what, bomb] as const))(
  'requests for %s of 300 MB stay within 1.2 times the memory limit',
  async (_, bomb) => {
    const { child, url } = await start('--config', write(bomb));
    for (const request of bomb.requests) {
      const outcomes = await Promise.all(Array.from({ length: CLIENTS }, () => download(`${url}${request}`)));
      for (const outcome of outcomes) expect(outcome).toMatch(ANSWERS);
      expect(peakMemory(child.pid), request).toBeLessThan(1.2 * MEMORY_BYTES);
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  },
);
