import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createRandom, decodeBam, fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { serve } from '../../../src/index.js';
import { type BlockServer, md5Of, type ServedAnswer, startBlockServer } from '../../block-server.js';
import { type CommandResult, runCommand } from '../../run-command.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
if (!existsSync(cli)) throw new Error('these tests run the built command: build first');

const MiB = 2 ** 20;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-get-url-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs `htskit get` in the folder. */
async function get(...args: string[]): Promise<CommandResult> {
  return runCommand(['get', ...args], folder);
}

/** Starts `htskit get` in a process of its own, in the folder. */
function start(...args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [cli, 'get', ...args], { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Bytes without a pattern, the same for the same seed. */
function someBytes(length: number, seed: number): Uint8Array {
  const random = createRandom(seed);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

const HEADER = Buffer.from('##fileformat=VCFv4.3\n'.padEnd(1000, '#'));
const BODY = someBytes(12 * MiB, 2);
const WHOLE = Buffer.concat([HEADER, BODY]);

/** Plain text has no end marker, so that any bytes do after the first ones. */
async function startService(changes: Partial<ServedAnswer> = {}): Promise<BlockServer> {
  return startBlockServer({
    format: 'VCFTEXT',
    header: HEADER,
    body: BODY,
    etag: '"1"',
    md5: md5Of(WHOLE),
    stallsAt: Infinity,
    refusals: 0,
    expiredTickets: 0,
    ...changes,
  });
}

/** Bytes that the side file speaks of. */
function keptBytes(): number {
  const side = join(folder, 'out.part.json');
  if (!existsSync(side)) return 0;
  const { state } = JSON.parse(readFileSync(side, 'utf8')) as { state?: { bytes: number } };
  return state?.bytes ?? 0;
}

/** Downloads until some bytes are kept, and ends the command by a signal. */
async function getSome(
  service: BlockServer,
  signal: NodeJS.Signals,
): Promise<{ readonly stderr: string; readonly closed: [code: number | null, signal: NodeJS.Signals | null] }> {
  service.answer.stallsAt = 9 * MiB;
  const child = start(service.url, '-o', 'out');
  const finished = Promise.all([text(child.stderr), once(child, 'close')]);
  await expect.poll(keptBytes).toBeGreaterThan(HEADER.length);
  child.kill(signal);
  service.answer.stallsAt = Infinity;
  const [stderr, closed] = await finished;
  return { stderr, closed: closed as [number | null, NodeJS.Signals | null] };
}

describe('htskit get URL', () => {
  test('downloads the same bytes as a local cut', async () => {
    const server = await serve({
      paths: [fixturePath('reads.bam')],
      host: '127.0.0.1',
      port: 0,
      authority: 'ga4gh',
      log: () => undefined,
    });
    onTestFinished(() => server.close());
    const url = `${server.url}/reads/reads`;
    for (const regions of [['chr1:1,001-2,000'], ['chr1:1,001-2,000', 'chr2:1-500']]) {
      const remote = await get(url, ...regions, '--tags', 'NM', '-o', 'remote.bam');
      expect([remote.code, remote.stderr]).toEqual([0, expect.stringMatching(/^wrote [\d,]+ bytes of BAM to remote/)]);
      expect((await get(fixturePath('reads.bam'), ...regions, '--tags', 'NM', '-o', 'local.bam')).code).toBe(0);
      const [there, here] = ['remote.bam', 'local.bam'].map((name) => decodeBam(readFileSync(join(folder, name))));
      expect(there?.records.length).toBeGreaterThan(0);
      expect(there).toEqual(here);
    }
    const header = await get(`${url}?referenceName=chr1&start=5&end=9`, '--header', '-o', 'header');
    expect([header.code, header.stderr]).toEqual([0, expect.stringMatching(/^wrote [\d,]+ bytes of BAM to header\n$/)]);
    expect(readdirSync(folder).sort()).toEqual(['header', 'local.bam', 'remote.bam']);
  });

  test('writes to stdout and through a link', async () => {
    const { url } = await startService({ body: Buffer.from('#CHROM\n'), md5: undefined });
    const stdout = `${HEADER.toString()}#CHROM\n`;
    expect(await get(url)).toEqual({ code: 0, stdout, stderr: 'wrote 1,007 bytes of VCFTEXT\n' });
    symlinkSync('target', join(folder, 'link'));
    expect((await get(url, '-o', 'link')).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['link', 'target']);
  });

  test.each(['SIGKILL', 'SIGINT'] as const)('resumes after %s', async (signal) => {
    const service = await startService();
    const first = await getSome(service, signal);
    expect(first.closed).toEqual([null, signal]);
    expect(first.stderr).toMatch(
      signal === 'SIGINT' ? /^kept [\d,]+ bytes in \S*out\.part; run the same command to resume\n$/ : /^$/,
    );
    expect(readdirSync(folder).sort()).toEqual(['out.part', 'out.part.json']);
    const kept = keptBytes();
    const second = await get(service.url, '-o', 'out');
    expect(second.stderr).toMatch(/^resuming .*out\.part after [\d,]+ bytes\nwrote [\d,]+ bytes of VCFTEXT to out\n$/);
    expect(second.code).toBe(0);
    expect(readFileSync(join(folder, 'out')).equals(WHOLE)).toBe(true);
    expect(readdirSync(folder)).toEqual(['out']);
    expect(service.blocks.at(-1)?.headers.range).toMatch(new RegExp(`^bytes=${kept - HEADER.length}-`));
  });

  test('starts over if the object has changed', async () => {
    const service = await startService();
    await getSome(service, 'SIGKILL');
    const body = someBytes(MiB, 3);
    Object.assign(service.answer, { body, etag: '"2"', md5: undefined });
    const { code, stderr } = await get(service.url, '-o', 'out');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/\nstarting over: [^\n]+\nwrote /)]);
    expect(readFileSync(join(folder, 'out')).equals(Buffer.concat([HEADER, body]))).toBe(true);
  });

  test('starts over if the kept bytes are damaged or of another query', async () => {
    const service = await startService();
    await getSome(service, 'SIGKILL');
    const part = join(folder, 'out.part');
    const bytes = readFileSync(part);
    writeFileSync(part, bytes.fill(0, 5000, 5010));
    const damaged = await get(service.url, '-o', 'out');
    expect([damaged.code, damaged.stderr]).toEqual([0, expect.stringContaining('starting over: ') as string]);
    expect(readFileSync(join(folder, 'out')).equals(WHOLE)).toBe(true);
    await getSome(service, 'SIGKILL');
    const other = await get(service.url, 'chr1', '-o', 'out');
    expect([other.code, other.stderr]).toEqual([0, expect.stringMatching(/^wrote /)]);
  });

  test('requests a new ticket when the block URLs have expired', async () => {
    const service = await startService({ expiredTickets: 1 });
    expect((await get(service.url, '-o', 'out')).code).toBe(0);
    expect(service.tickets).toHaveLength(2);
    expect(readFileSync(join(folder, 'out')).equals(WHOLE)).toBe(true);
  });

  test('reports retries', async () => {
    const { code, stderr } = await get((await startService({ refusals: 1 })).url, '-o', 'out');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/503.*; retrying in \d+\.\d s \(attempt 2\)\nwrote /)]);
  });

  test('writes no output for a truncated file or a wrong digest', async () => {
    const noEnd = { format: 'BAM', header: new Uint8Array(), body: readFixture('no-eof.bam'), md5: undefined };
    const truncated = await get((await startService(noEnd)).url, '-o', 'out.bam');
    expect([truncated.code, truncated.stderr]).toEqual([
      1,
      expect.stringMatching(/htskit: the BAM file does not end with an EOF marker\n$/),
    ]);
    expect(existsSync(join(folder, 'out.bam'))).toBe(false);
    const wrong = await get((await startService({ md5: md5Of(HEADER) })).url, '-o', 'wrong');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('the MD5 of the bytes differs') as string]);
    expect(readdirSync(folder).filter((name) => name.startsWith('wrong'))).toEqual([]);
  });

  test('writes no output for bytes of another format, and keeps none of them', async () => {
    const { url } = await startService({ format: 'BAM', md5: undefined });
    for (const options of [[], ['--no-resume'], ['--header']]) {
      const { code, stderr } = await get(url, ...options, '-o', 'out.bam');
      expect([code, stderr]).toEqual([1, 'htskit: the answer is not BAM: it starts with 23 23 66 69\n']);
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  test('--no-resume keeps nothing and removes a partial download', async () => {
    const service = await startService();
    await getSome(service, 'SIGKILL');
    service.answer.md5 = md5Of(HEADER);
    const { code, stderr } = await get(service.url, '-o', 'out', '--no-resume');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^htskit: [^\n]*MD5[^\n]*\n$/)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('keeps nothing of an immediate failure, and leaves a foreign file alone', async () => {
    const { url } = await startService();
    const missing = await get(url.replace('/reads/', '/blocks/'), '-o', 'out');
    expect(missing.code).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, 'out.part'), 'mine');
    const refused = await get(url, '-o', 'out');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('was not made by this command')]);
    expect(readFileSync(join(folder, 'out.part'), 'utf8')).toBe('mine');
  });

  test('a second process refuses to write to the same file', async () => {
    const service = await startService({ stallsAt: 9 * MiB });
    start(service.url, '-o', 'out');
    await expect.poll(keptBytes).toBeGreaterThan(HEADER.length);
    const { code, stderr } = await get(service.url, '-o', 'out');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^htskit: process \d+ is writing /)]);
  });
});

describe('the credentials', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each<[string, string[], string, string]>([
    ['by a file', ['--token-file', 'token'], 'OTHER', 'Bearer SECRET'],
    ['by the environment', [], 'SECRET', 'Bearer SECRET'],
  ])('sends %s to the service but to no block', async (_, args, token, expected) => {
    writeFileSync(join(folder, 'token'), 'SECRET\n');
    const { url, tickets, blocks } = await startService({ refusals: 1 });
    vi.stubEnv('HTSKIT_TOKEN', token);
    const { code, stderr } = await get(url, '-H', 'X-Cohort: a:b', ...args, '-o', 'out');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('SECRET')]);
    expect(tickets[0]?.headers).toMatchObject({ authorization: expected, 'x-cohort': 'a:b' });
    expect(blocks.map(({ headers }) => [headers.authorization, headers['x-cohort']])).toEqual([[undefined, undefined]]);
  });

  test('takes credentials from the URL and repeats no secret', async () => {
    const { url, tickets } = await startService({ md5: md5Of(HEADER) });
    const secret = `${url.replace('//', '//me:SECRET@')}?access_token=SECRET`;
    vi.stubEnv('HTSKIT_TOKEN', 'OTHER');
    const { code, stderr } = await get(secret, '-o', 'out');
    expect([code, stderr]).toEqual([1, expect.not.stringContaining('SECRET')]);
    expect(tickets[0]?.headers.authorization).toBe(`Basic ${btoa('me:SECRET')}`);
    expect(tickets[0]?.url).toBe('/reads/a?access_token=SECRET');
  });

  test('rejects an invalid token', async () => {
    vi.stubEnv('HTSKIT_TOKEN', 'SE CRET');
    const { code, stderr } = await get('http://127.0.0.1:2/', '-o', 'out');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^htskit: HTSKIT_TOKEN does not hold a bearer token/)]);
    expect(stderr).not.toContain('CRET');
  });
});

test.each([
  [
    'a token on the command line',
    ['-H', 'authorization: Bearer SECRET', 'http://127.0.0.1:2/'],
    /refusing a token on the command line/,
  ],
  ['an invalid header', ['-H', 'SECRET', 'http://127.0.0.1:2/'], /invalid header; expected 'Name: value'/],
  ['a header of two lines', ['-H', 'a: SECRET\nb: c', 'http://127.0.0.1:2/'], /invalid header; expected 'Name: value'/],
  ['a header for a file', ['-H', 'a: b', 'a.bam'], /--http-header applies only to a URL/],
  ['--no-resume for a file', ['--no-resume', 'a.bam'], /--no-resume applies only to a URL/],
  ['a precision for a URL', ['--precision', 'exact', 'http://127.0.0.1:2/'], /--precision applies only to a file/],
  ['a level for a URL', ['--level', '1', 'http://127.0.0.1:2/'], /--level applies only to a file/],
  ['an invalid region', ['http://127.0.0.1:2/', 'chr1:9-3'], /"chr1:9-3" ends before it begins/],
  ['an invalid URL', ['http://:x'], /invalid URL/],
  ['an invalid position of the URL', ['http://127.0.0.1:2/?referenceName=a&start=-1'], /must be whole numbers/],
  ['a format of the URL that is unknown', ['http://127.0.0.1:2/?format=FASTA'], /invalid URL: unknown format/],
  [
    'a class of the URL that is unknown',
    ['http://127.0.0.1:2/?class=body'],
    /invalid URL: the only value of class is "header"/,
  ],
])('rejects %s as a usage error', async (_, args, message) => {
  const { code, stdout, stderr } = await get('-o', 'out', ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: /);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('SECRET');
  expect(readdirSync(folder)).toEqual([]);
});
