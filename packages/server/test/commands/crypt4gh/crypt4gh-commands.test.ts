import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatPublicKey, formatSecretKey, generateKeyPair } from '@htskit/crypt4gh';
import { readFixture } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CommandResult, runBinaryCommand, runCommand } from '../../run-command.js';

let folder = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-crypt4gh-'));
  vi.stubEnv('C4GH_SECRET_KEY', undefined);
  vi.stubEnv('C4GH_PASSPHRASE', undefined);
  for (const name of ['alice', 'bob']) {
    const { secretKey, publicKey } = generateKeyPair();
    writeFileSync(join(folder, `${name}.sec`), await formatSecretKey(secretKey));
    writeFileSync(join(folder, `${name}.pub`), formatPublicKey(publicKey));
  }
  writeFileSync(join(folder, 'reads.bam'), reads);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const reads = readFixture('reads.bam');
const run = (...args: string[]): Promise<CommandResult> => runCommand(args, folder);
const read = (name: string): Buffer => readFileSync(join(folder, name));
const ALICE = ['--identity', 'alice.sec'];
const BOB = ['--identity', 'bob.sec'];

/** Runs a command that must succeed without a word. */
async function runQuietly(...args: string[]): Promise<void> {
  expect(await run(...args)).toEqual({ code: 0, stdout: '', stderr: '' });
}

describe('htskit keygen', () => {
  test('writes a secret key for its owner alone, and a public key', async () => {
    expect(await run('keygen', 'carol', '--no-passphrase', '--comment', 'of Carol')).toEqual({
      code: 0,
      stdout: 'carol.sec\ncarol.pub\n',
      stderr: '',
    });
    expect(read('carol.sec').toString()).toMatch(
      /^-----BEGIN CRYPT4GH PRIVATE KEY-----\n.+\n-----END CRYPT4GH PRIVATE KEY-----\n$/,
    );
    expect(read('carol.pub').toString()).toMatch(/^-----BEGIN CRYPT4GH PUBLIC KEY-----\n.{44}\n-----END/);
    const mode = process.platform === 'win32' ? 0o600 : statSync(join(folder, 'carol.sec')).mode & 0o777;
    expect(mode).toBe(0o600);
  });

  test('keeps existing keys without --force', async () => {
    const before = read('alice.sec');
    const refused = await run('keygen', 'alice', '--no-passphrase');
    expect(refused).toEqual({ code: 1, stdout: '', stderr: 'htskit: alice.sec exists; use --force to overwrite it\n' });
    expect(read('alice.sec').equals(before)).toBe(true);
    expect((await run('keygen', 'alice', '--no-passphrase', '--force')).code).toBe(0);
    expect(read('alice.sec').equals(before)).toBe(false);
  });

  test('encrypts the secret key with a passphrase of a file or of the environment', async () => {
    writeFileSync(join(folder, 'passphrase'), 'correct horse\nsecond line\n');
    expect((await run('keygen', 'dave', '--passphrase-file', 'passphrase')).code).toBe(0);
    await runQuietly('encrypt', 'reads.bam', '-r', 'dave.pub');
    vi.stubEnv('C4GH_PASSPHRASE', 'wrong');
    const refused = await run('decrypt', 'reads.bam.c4gh', '--identity', 'dave.sec', '-o', 'out');
    expect(refused.stderr).toBe('htskit: dave.sec: the passphrase of the secret key is wrong\n');
    vi.stubEnv('C4GH_PASSPHRASE', 'correct horse');
    await runQuietly('decrypt', 'reads.bam.c4gh', '--identity', 'dave.sec', '-o', 'out');
    expect(read('out').equals(reads)).toBe(true);
  });

  test.each([
    [
      ['keygen', 'x', '--no-passphrase', '--passphrase-file', 'p'],
      '--no-passphrase cannot be combined with --passphrase-file',
    ],
    [['keygen', '-'], 'expected a path without extension'],
    [['keygen'], "missing required argument 'NAME'"],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('htskit encrypt and decrypt', () => {
  test('the recipients, and only they, decrypt the file', async () => {
    await runQuietly('encrypt', 'reads.bam', '-r', 'alice.pub', '-r', 'bob.pub');
    for (const identity of [ALICE, BOB]) {
      await runQuietly('decrypt', 'reads.bam.c4gh', ...identity, '-o', 'out.bam');
      expect(read('out.bam').equals(reads)).toBe(true);
    }
    await runQuietly('encrypt', 'reads.bam', '-r', 'alice.pub', '-o', 'alone.c4gh', ...BOB);
    const refused = await run('decrypt', 'alone.c4gh', ...BOB, '-o', 'never');
    expect([refused.code, existsSync(join(folder, 'never'))]).toEqual([1, false]);
    expect(refused.stderr).toContain(
      'htskit: alone.c4gh: no data key of the header can be decrypted with the given keys',
    );
  });

  test('the default output is not overwritten, unless it is named', async () => {
    await runQuietly('encrypt', 'reads.bam', '-r', 'alice.pub');
    const again = await run('encrypt', 'reads.bam', '-r', 'alice.pub');
    expect([again.code, again.stderr]).toEqual([
      1,
      'htskit: reads.bam.c4gh exists; use -o reads.bam.c4gh to overwrite it\n',
    ]);
    await runQuietly('encrypt', 'reads.bam', '-r', 'alice.pub', '-o', 'reads.bam.c4gh');
    expect((await run('decrypt', 'reads.bam.c4gh', ...ALICE)).stderr).toContain('reads.bam exists');
    rmSync(join(folder, 'reads.bam'));
    await runQuietly('decrypt', 'reads.bam.c4gh', ...ALICE);
    expect(read('reads.bam').equals(reads)).toBe(true);
  });

  test('--edit selects bytes when encrypting and when decrypting', async () => {
    const expected = Buffer.concat([reads.subarray(0, 10), reads.subarray(70_000, 70_100), reads.subarray(-5)]);
    const edit = ['--edit', `0-9,70000-70099,${reads.length - 5}-`];
    await runQuietly('encrypt', 'reads.bam', '-r', 'alice.pub', ...edit, '-o', 'part.c4gh');
    await runQuietly('decrypt', 'part.c4gh', ...ALICE, '-o', 'part');
    expect(read('part').equals(expected)).toBe(true);
    await runQuietly('encrypt', 'reads.bam', '-r', 'alice.pub', '-o', 'whole.c4gh');
    const { stdout } = await runBinaryCommand(['decrypt', 'whole.c4gh', ...ALICE, ...edit, '-o', '-'], folder);
    expect(stdout.equals(expected)).toBe(true);
  });

  test('C4GH_SECRET_KEY names the secret key', async () => {
    await runQuietly('encrypt', 'reads.bam', '-r', 'alice.pub', '-o', 'a.c4gh');
    vi.stubEnv('C4GH_SECRET_KEY', 'alice.sec');
    await runQuietly('decrypt', 'a.c4gh', '-o', 'a');
    expect(read('a').equals(reads)).toBe(true);
  });

  test('no output appears for a file that was altered or cut', async () => {
    await runQuietly('encrypt', 'reads.bam', '-r', 'alice.pub');
    const file = read('reads.bam.c4gh');
    file[file.length - 100] = (file[file.length - 100] ?? 0) ^ 1;
    writeFileSync(join(folder, 'altered.c4gh'), file);
    writeFileSync(join(folder, 'cut.c4gh'), read('reads.bam.c4gh').subarray(0, -1));
    for (const name of ['altered', 'cut']) {
      const { code, stderr } = await run('decrypt', `${name}.c4gh`, ...ALICE);
      expect([code, existsSync(join(folder, name))]).toEqual([1, false]);
      expect(stderr).toContain(`htskit: ${name}.c4gh: the segment does not authenticate`);
    }
  });

  test.each([
    [['encrypt', 'reads.bam'], 'no recipient; use -r FILE'],
    [['decrypt', 'reads.bam'], 'no secret key; use --identity or C4GH_SECRET_KEY'],
    [['decrypt', 'reads.bam', ...ALICE, '--edit', '5-1'], 'ends before it begins'],
    [['decrypt', 'reads.bam', ...ALICE, '--edit', '5-9,9-10'], 'must be in order'],
    [['decrypt', 'reads.bam', ...ALICE, '--edit', 'all'], 'is not a range of bytes'],
    [['reencrypt', '-', ...ALICE, '-r', 'bob.pub', '--edit', '5-9'], '--edit needs a file, not stdin'],
    [['reencrypt', 'reads.bam', ...ALICE, '-r', 'bob.pub', '--edit', '5-9', '--keep-readers'], 'cannot be used with'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test.each([
    [['decrypt', 'reads.bam', ...ALICE], 'reads.bam: not a Crypt4GH file'],
    [['decrypt', 'missing', ...ALICE], 'missing: '],
    [['decrypt', 'reads.bam', '--identity', 'alice.pub'], 'alice.pub: expected a PEM file of a "CRYPT4GH PRIVATE KEY"'],
    [['encrypt', 'reads.bam', '-r', 'alice.sec'], 'alice.sec: expected a PEM file of a "CRYPT4GH PUBLIC KEY"'],
    [['encrypt', 'reads.bam', '-r', 'alice.pub', '-o', 'reads.bam'], 'refusing to overwrite the input reads.bam'],
    [['decrypt', 'reads.bam', ...ALICE, '-o', 'alice.sec'], 'refusing to overwrite the input alice.sec'],
  ])('fails for %j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`htskit: ${message}`)]);
  });
});

describe('htskit reencrypt', () => {
  const encrypt = () => runQuietly('encrypt', 'reads.bam', '-r', 'alice.pub', '-o', 'a.c4gh');

  test('copies the segments for another reader', async () => {
    await encrypt();
    await runQuietly('reencrypt', 'a.c4gh', ...ALICE, '-r', 'bob.pub', '-o', 'b.c4gh');
    expect(read('b.c4gh').subarray(124).equals(read('a.c4gh').subarray(124))).toBe(true);
    await runQuietly('decrypt', 'b.c4gh', ...BOB, '-o', 'b');
    expect(read('b').equals(reads)).toBe(true);
    expect((await run('decrypt', 'b.c4gh', ...ALICE, '-o', 'c')).code).toBe(1);
  });

  test('--keep-readers adds a reader', async () => {
    await runQuietly('encrypt', 'reads.bam', '-r', 'alice.pub', '-r', 'bob.pub', '-o', 'both.c4gh');
    await run('keygen', 'carol', '--no-passphrase');
    const recipients = ['-r', 'carol.pub', '-r', 'alice.pub', '--keep-readers'];
    await runQuietly('reencrypt', 'both.c4gh', ...ALICE, ...recipients, '-o', 'three.c4gh');
    for (const identity of ['alice', 'bob', 'carol']) {
      await runQuietly('decrypt', 'three.c4gh', '--identity', `${identity}.sec`, '-o', identity);
      expect(read(identity).equals(reads)).toBe(true);
    }
  });

  test('--edit copies the segments of the selected bytes', async () => {
    await encrypt();
    await runQuietly('reencrypt', 'a.c4gh', ...ALICE, '-r', 'bob.pub', '--edit', '5-9,70000-70009', '-o', 'b.c4gh');
    await runQuietly('decrypt', 'b.c4gh', ...BOB, '-o', 'b');
    expect(read('b').equals(Buffer.concat([reads.subarray(5, 10), reads.subarray(70_000, 70_010)]))).toBe(true);
    expect(read('b.c4gh').length).toBeLessThan(2 * 65_564 + 1000);
  });
});
