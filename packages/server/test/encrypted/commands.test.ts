import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSecretKey } from '@htskit/crypt4gh';
import { fileSource } from '@htskit/storage/file';
import { fixturePath, readFixture } from '@htskit/testing';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { decryptWith } from '../../src/files/key-files.js';
import { runBinaryCommand, runCommand } from '../run-command.js';
import { createEncryptedFolder, createKeyFile, type EncryptedFolder, startWebServer } from './encrypted-files.js';

let folder: EncryptedFolder;

beforeEach(async () => {
  vi.stubEnv('C4GH_SECRET_KEY', '');
  vi.stubEnv('C4GH_PASSPHRASE', undefined);
  folder = await createEncryptedFolder();
});

/** Runs a command with the key. */
function run(...args: readonly string[]): ReturnType<typeof runCommand> {
  const [command = '', ...others] = args;
  return runCommand([command, '--identity', folder.key.path, ...others]);
}

async function decrypted(path: string): Promise<Uint8Array> {
  const source = decryptWith([folder.key.secretKey])(fileSource(path));
  const { size } = await source.stat();
  const bytes = await source.read({ start: 0, end: size });
  await source.close?.();
  return bytes;
}

describe('view', () => {
  test.each([
    ['reads.bam', '.bai'],
    ['v21.cram', '.crai'],
    ['variants.vcf.gz', '.tbi'],
    ['variants.bcf', '.csi'],
  ])('prints of an encrypted %s what it prints of the plain one', async (name, extension) => {
    const path = await folder.add(name);
    for (const addIndex of [
      async () => undefined,
      async () => folder.addPlain(`${name}.c4gh${extension}`, readFixture(name + extension)),
      async () => folder.add(name + extension),
    ]) {
      await addIndex();
      for (const regions of [[], ['chr1:2000-30000']]) {
        const { code, stdout, stderr } = await run('view', path, ...regions);
        expect([code, stderr]).toEqual([0, '']);
        expect(stdout).toBe((await runCommand(['view', fixturePath(name), ...regions])).stdout);
      }
    }
  });

  test('takes the index that is named', async () => {
    const path = await folder.add('reads.bam');
    const index = await folder.add('other.bai', readFixture('reads.bam.bai'));
    const { stdout } = await run('view', '-c', '--index', index, path, 'chr1:2000-30000');
    expect(stdout).toBe((await runCommand(['view', '-c', fixturePath('reads.bam'), 'chr1:2000-30000'])).stdout);
  });

  test('recognises an encrypted file by its content', async () => {
    const path = join(folder.path, 'x');
    writeFileSync(path, readFileSync(await folder.add('reads.bam')));
    expect((await run('view', '-c', path)).stdout).toBe(
      (await runCommand(['view', '-c', fixturePath('reads.bam')])).stdout,
    );
  });

  test('writes no plain file whose name says that it is encrypted', async () => {
    const output = join(folder.path, 'out.bam.c4gh');
    const { code, stderr } = await runCommand(['view', fixturePath('reads.bam'), '-o', output]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/does not encrypt/);
    expect(existsSync(output)).toBe(false);
  });
});

describe('the key', () => {
  test('is that of C4GH_SECRET_KEY by default, and C4GH_PASSPHRASE opens it', async () => {
    const key = await createKeyFile(folder.path, 'protected.sec', 'correct horse');
    const path = await folder.add('reads.bam', undefined, [key.publicKey]);
    vi.stubEnv('C4GH_SECRET_KEY', key.path);
    vi.stubEnv('C4GH_PASSPHRASE', 'correct horse');
    expect((await runCommand(['view', '-c', path])).code).toBe(0);
    vi.stubEnv('C4GH_PASSPHRASE', 'battery staple');
    const { code, stderr } = await runCommand(['view', '-c', path]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/protected\.sec: .*passphrase/);
    expect(stderr).not.toContain('battery');
  });

  test('may be one of several', async () => {
    const other = await createKeyFile(folder.path, 'other.sec');
    const path = await folder.add('reads.bam');
    const { code } = await runCommand(['view', '-c', '--identity', other.path, '--identity', folder.key.path, path]);
    expect(code).toBe(0);
  });

  test.each([
    ['view', 'reads.bam'],
    ['depth', 'reads.bam'],
    ['index', 'reads.bam'],
    ['digest', 'genome.fa'],
  ])('is needed by %s, and another one does not fit', async (command, name) => {
    const path = await folder.add(name);
    const missing = await runCommand([command, path]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/encrypted by Crypt4GH.*--identity/)]);
    const other = await createKeyFile(folder.path, 'other.sec');
    const { code, stderr } = await runCommand([command, '--identity', other.path, path]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/key/)]);
  });
});

describe('index', () => {
  test.each([
    ['reads.bam', ['.bai']],
    ['v21.cram', ['.crai']],
    ['variants.vcf.gz', ['.tbi']],
    ['variants.bcf', ['.csi']],
    ['genome.fa', ['.fai']],
    ['genome.fa.gz', ['.fai', '.gzi']],
  ])('encrypts the index of an encrypted %s, which is that of the plain one', async (name, extensions) => {
    const path = await folder.add(name);
    folder.addPlain(name);
    const { code, stdout, stderr } = await run('index', path);
    expect([code, stderr]).toEqual([0, '']);
    const paths = extensions.map((extension) => join(folder.path, `${name}${extension}.c4gh`));
    expect(stdout.trim().split('\n')).toEqual(paths);
    await runCommand(['index', join(folder.path, name)]);
    for (const each of paths) {
      expect(Buffer.from(await decrypted(each)).equals(readFileSync(each.replace('.c4gh', '')))).toBe(true);
    }
  });

  test('writes it plain if the name of the output says so, and overwrites only indexes', async () => {
    const path = await folder.add('reads.bam');
    const output = `${path}.bai`;
    expect((await run('index', '-o', output, path)).code).toBe(0);
    expect(readFileSync(output).equals(readFixture('reads.bam.bai'))).toBe(true);
    expect((await run('index', path)).code).toBe(0);
    expect((await run('index', path)).stderr).toMatch(/exists; use --force/);
    expect((await run('index', '--force', path)).code).toBe(0);
    const data = await folder.add('other.bam', readFixture('reads.bam'));
    expect((await run('index', '--force', '-o', data, path)).stderr).toMatch(/is not an index/);
  });

  test('writes the depth of an encrypted file to a plain bigWig only if it is named', async () => {
    const path = await folder.add('reads.bam');
    folder.addPlain('reads.bam');
    expect((await run('index', '--coverage', path)).stderr).toMatch(/name it with --output/);
    const [output, plain] = [join(folder.path, 'depth.bw'), join(folder.path, 'plain.bw')];
    expect(await run('index', '--coverage', '-o', output, path)).toMatchObject({ code: 0 });
    await runCommand(['index', '--coverage', '-o', plain, join(folder.path, 'reads.bam')]);
    expect(readFileSync(output).equals(readFileSync(plain))).toBe(true);
  });
});

test.each([
  [['depth', '--bin', '1000'], 'reads.bam'],
  [['depth'], 'v21.cram'],
  [['digest', '--collection'], 'genome.fa'],
  [['digest'], 'genome.fa.gz'],
])('%s prints of an encrypted file what it prints of the plain one', async ([command = '', ...flags], name) => {
  const path = await folder.add(name);
  const plain = folder.addPlain(name);
  const { code, stdout } = await run(command, ...flags, path);
  expect(code).toBe(0);
  expect(stdout.replaceAll(path, plain)).toBe((await runCommand([command, ...flags, plain])).stdout);
  expect(stdout.length).toBeGreaterThan(0);
});

test('ls says which files are encrypted, and which cannot be decrypted', async () => {
  const other = await createKeyFile(folder.path, 'other.sec');
  await folder.add('reads.bam');
  await folder.add('reads.bam.bai');
  await folder.add('variants.bcf', undefined, [other.publicKey]);
  const { code, stdout } = await run('ls', folder.path);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^reads\/reads +BAM +BAM, encrypted +323,817 +BAI +5$/m);
  expect(stdout).toMatch(/^warning: .*variants\.bcf\.c4gh: .*key/m);
  const without = await runCommand(['ls', folder.path]);
  expect(without.stderr).toMatch(/reads\.bam\.c4gh is not served: it is encrypted by Crypt4GH/);
});

test('view reads encrypted files of web servers', async () => {
  const files = new Map<string, Uint8Array>();
  for (const name of ['reads.bam', 'reads.bam.bai']) files.set(`/${name}.c4gh`, readFileSync(await folder.add(name)));
  const url = `${await startWebServer(files)}/reads.bam.c4gh`;
  const { code, stdout, stderr } = await run('view', url, 'chr1:2000-30000');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe((await runCommand(['view', fixturePath('reads.bam'), 'chr1:2000-30000'])).stdout);
  expect((await runCommand(['view', url])).stderr).toMatch(/encrypted by Crypt4GH.*--identity/);
});

test('a key file is read as crypt4gh reads it', async () => {
  const key = await parseSecretKey(folder.key.text);
  expect(key.publicKey).toEqual(folder.key.publicKey);
  const { stdout } = await runBinaryCommand([
    'view',
    '-b',
    '--identity',
    folder.key.path,
    await folder.add('reads.bam'),
  ]);
  expect(stdout.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b));
});
