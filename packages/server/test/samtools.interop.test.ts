import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Precision } from '@htskit/htsget';
import { fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../src/serve.js';

/** Random regions of each file, besides the whole references. */
const REGIONS_PER_FILE = 40;

const external = process.env['HTSKIT_EXTERNAL_DATA'];
const folders = [fixturePath('.'), ...(external === undefined ? [] : [external])];

interface Region {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
}

interface AlignmentFile {
  readonly folder: string;
  readonly path: string;
  readonly id: string;
  readonly hasIndex: boolean;
}

/** Not the synchronous call: the server runs in this process. */
async function samtools(...args: string[]): Promise<string> {
  return (await promisify(execFile)('samtools', args, { maxBuffer: 1 << 30 })).stdout;
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** htslib refuses extra gzip subfields, which SAMv1 §4.1 allows: samtools cannot read the file itself either. */
const UNREADABLE_FOR_SAMTOOLS = ['extra-subfield.bam'];

const files: AlignmentFile[] = folders.flatMap((folder) => {
  const names = readdirSync(folder);
  return names
    .filter((name) => name.endsWith('.bam') && !UNREADABLE_FOR_SAMTOOLS.includes(name))
    .map((name) => {
      const id = basename(name, '.bam');
      const hasIndex = [`${name}.bai`, `${id}.bai`, `${name}.csi`].some((index) => names.includes(index));
      return { folder, path: join(folder, name), id, hasIndex };
    });
});

/** mulberry32: the same regions in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function referencesOf(path: string): Promise<{ name: string; length: number }[]> {
  return lines(await samtools('view', '-H', path))
    .filter((line) => line.startsWith('@SQ'))
    .map((line) => ({
      name: /\tSN:([^\t]+)/.exec(line)?.[1] ?? '',
      length: Number(/\tLN:(\d+)/.exec(line)?.[1]),
    }));
}

/** Where the records are, so that most regions hold some. */
async function positionsOf(path: string): Promise<Map<string, number[]>> {
  const positions = new Map<string, number[]>();
  for (const line of lines(await samtools('view', path))) {
    const [, , name = '', position = ''] = line.split('\t', 4);
    if (name !== '*') positions.set(name, [...(positions.get(name) ?? []), Number(position) - 1]);
  }
  return positions;
}

async function regionsOf(path: string): Promise<Region[]> {
  const random = randomNumbers(path.length);
  const references = await referencesOf(path);
  if (references.length === 0) return [];
  const positions = await positionsOf(path);
  const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  const whole = references.slice(0, 10).map(({ name, length }) => ({ referenceName: name, start: 0, end: length }));
  const some = Array.from({ length: REGIONS_PER_FILE }, () => {
    const { name, length } = pick(references) ?? { name: '', length: 0 };
    const near = random() < 0.7 ? pick(positions.get(name) ?? []) : undefined;
    const width = 1 + Math.floor(2 ** (random() * 16));
    const start = Math.max(0, near === undefined ? Math.floor(random() * length) : near - Math.floor(random() * width));
    return { referenceName: name, start, end: Math.min(length, start + width) };
  }).filter(({ start, end }) => start < end);
  return [...whole, ...some];
}

/** samtools' own answer for a region of a local file. */
async function expectedLines(path: string, { referenceName, start, end }: Region): Promise<string[]> {
  return lines(await samtools('view', path, `{${referenceName}}:${start + 1}-${end}`));
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0;
  for (const line of whole) if (line === part[next]) next++;
  return next === part.length;
}

describe.each<Precision>(['auto', 'chunks'])('with precision %s, samtools as the client', (precision) => {
  const servers = new Map<string, RunningServer>();
  const logged: string[] = [];
  let scratch = '';
  let compared = 0;
  let planned = 0;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
    for (const folder of folders) {
      servers.set(
        folder,
        await serve({
          paths: [folder],
          host: '127.0.0.1',
          port: 0,
          authority: 'ga4gh',
          precision,
          log: (message) => logged.push(message),
        }),
      );
    }
  });
  afterAll(async () => {
    rmSync(scratch, { recursive: true });
    await Promise.all(Array.from(servers.values(), (server) => server.close()));
  });

  function urlOf({ folder, id }: AlignmentFile, region?: Region): string {
    const url = `${servers.get(folder)?.url}/reads/${encodeURIComponent(id)}`;
    if (region === undefined) return url;
    const { referenceName, start, end } = region;
    return `${url}?referenceName=${encodeURIComponent(referenceName)}&start=${start}&end=${end}`;
  }

  async function download(url: string): Promise<string> {
    const ticket = (await (await fetch(url)).json()) as { htsget: { urls: { url: string }[] } };
    const blocks = await Promise.all(
      ticket.htsget.urls.map(async (block) => new Uint8Array(await (await fetch(block.url)).arrayBuffer())),
    );
    const path = join(scratch, 'download.bam');
    writeFileSync(path, Buffer.concat(blocks));
    return path;
  }

  test.each(files)('$id: a whole file is the file, record for record', async (file) => {
    planned++;
    expect(await samtools('view', '--no-PG', '-h', urlOf(file))).toBe(
      await samtools('view', '--no-PG', '-h', file.path),
    );
    await samtools('quickcheck', '-u', await download(urlOf(file)));
    compared++;
  });

  test.each(files)('$id: regions hold the right reads, in file order, each once', async (file) => {
    const all = lines(await samtools('view', file.path));
    const regions = file.hasIndex ? await regionsOf(file.path) : [];
    planned += regions.length;
    for (const region of regions) {
      const expected = await expectedLines(file.path, region);
      const received = lines(await samtools('view', urlOf(file, region)));
      expect(precision === 'auto' ? received : expected, JSON.stringify(region)).toEqual(expected);
      expect(isSubsequence(expected, received), `every read of ${JSON.stringify(region)}`).toBe(true);
      expect(isSubsequence(received, all), `file order in ${JSON.stringify(region)}`).toBe(true);
      expect(Number(await samtools('view', '-c', urlOf(file, region)))).toBe(received.length);
      await samtools('quickcheck', '-u', await download(urlOf(file, region)));
      compared++;
    }
  });

  test('as many comparisons ran as were planned, some hundreds', () => {
    expect(compared).toBe(planned);
    expect(compared).toBeGreaterThan(200);
    expect(logged).toEqual([]);
  });

  test.skipIf(external === undefined)('files that others wrote were among them (HTSKIT_EXTERNAL_DATA)', () => {
    expect(files.filter(({ folder }) => folder === external).length).toBeGreaterThan(0);
  });
});
