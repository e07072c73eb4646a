import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  decryptingSource,
  decryptStream,
  encryptStream,
  formatPublicKey,
  formatSecretKey,
  generateKeyPair,
  parsePublicKey,
  parseSecretKey,
  reencryptHeader,
} from '@htskit/crypt4gh';
import { crypt4ghOf, SEGMENT_BYTES, selectRanges } from '@htskit/crypt4gh/internal';
import { concatBytes } from '@htskit/io';
import { installPythonPackages } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noise } from './encrypt-file.js';
import { storedSource } from './stored-source.js';

const folder = mkdtempSync(join(tmpdir(), 'htskit-pypi-crypt4gh-'));
const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const bin = await installPythonPackages(join(folder, 'python'), requirements);
afterAll(() => rmSync(folder, { recursive: true }));

const PASSPHRASE = 'correct horse';
/** The input of the generator of keys, which has no terminal. */
const ENTERED = new TextEncoder().encode(`${PASSPHRASE}\n${PASSPHRASE}\n`);
const plaintext = noise(3 * SEGMENT_BYTES + 777);
const [alice, bob] = [generateKeyPair(), generateKeyPair()];

const pathOf = (name: string): string => join(folder, name);

/** Runs a command of the package with a file as stdin, and returns its stdout. */
function python(command: string, args: readonly string[], input: Uint8Array = new Uint8Array()): Buffer {
  const env = { ...process.env, C4GH_PASSPHRASE: PASSPHRASE };
  const options = { cwd: folder, input, env, maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync(join(bin ?? '', command), args, options);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr.toString()}`);
  return stdout;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

describe.skipIf(bin === undefined)('crypt4gh of PyPI', () => {
  beforeAll(async () => {
    writeFileSync(pathOf('alice.sec'), await formatSecretKey(alice.secretKey));
    writeFileSync(pathOf('alice.pub'), formatPublicKey(alice.publicKey));
    writeFileSync(
      pathOf('locked.sec'),
      await formatSecretKey(alice.secretKey, { passphrase: PASSPHRASE, comment: 'Alice' }),
    );
    writeFileSync(pathOf('bob.sec'), await formatSecretKey(bob.secretKey));
    writeFileSync(pathOf('bob.pub'), formatPublicKey(bob.publicKey));
  });

  test('decrypts what encryptStream wrote, with and without an edit list', async () => {
    const recipients = [bob.publicKey, alice.publicKey];
    const file = await collect(encryptStream(once(plaintext), { recipients }));
    expect(python('crypt4gh', ['decrypt', '--sk', 'alice.sec'], file).equals(plaintext)).toBe(true);
    const editList = [3, 100, 65_000, 80_000, 7, 1];
    const edited = await collect(encryptStream(once(plaintext), { recipients, editList }));
    const expected = await collect(decryptStream(once(edited), { keys: [bob.secretKey] }));
    expect(expected).toHaveLength(80_101);
    expect(python('crypt4gh', ['decrypt', '--sk', 'alice.sec'], edited).equals(expected)).toBe(true);
  });

  test('reads a secret key that formatSecretKey encrypted', async () => {
    const file = await collect(encryptStream(once(plaintext), { recipients: [alice.publicKey] }));
    expect(python('crypt4gh', ['decrypt', '--sk', 'locked.sec'], file).equals(plaintext)).toBe(true);
  });

  test('encrypts files that decryptStream and decryptingSource read', async () => {
    const file = python('crypt4gh', ['encrypt', '--sk', 'bob.sec', '--recipient_pk', 'alice.pub'], plaintext);
    const keys = [alice.secretKey];
    expect((await collect(decryptStream(once(file), { keys }))).equals(plaintext)).toBe(true);
    const part = await decryptingSource(storedSource(file), { keys }).read({ start: 65_000, end: 140_000 });
    expect(Buffer.from(part).equals(plaintext.subarray(65_000, 140_000))).toBe(true);
  });

  test('rearranges a file to an edit list that decryptStream applies', async () => {
    const file = python('crypt4gh', ['encrypt', '--sk', 'alice.sec', '--recipient_pk', 'alice.pub'], plaintext);
    const rearranged = python('crypt4gh', ['rearrange', '--sk', 'alice.sec', '--range', '70000-140000'], file);
    const expected = python('crypt4gh', ['decrypt', '--sk', 'alice.sec'], rearranged);
    expect(expected.length).toBeGreaterThan(69_000);
    expect((await collect(decryptStream(once(rearranged), { keys: [alice.secretKey] }))).equals(expected)).toBe(true);
  });

  test('decrypts reencrypted headers and selected ranges', async () => {
    const file = await collect(encryptStream(once(plaintext), { recipients: [alice.publicKey] }));
    const options = { keys: [alice.secretKey], recipients: [bob.publicKey] };
    const copy = concatBytes([reencryptHeader(file, options), file.subarray(124)]);
    expect(python('crypt4gh', ['decrypt', '--sk', 'bob.sec'], copy).equals(plaintext)).toBe(true);
    const opened = await crypt4ghOf(decryptingSource(storedSource(file), options))?.openFile();
    if (opened === undefined) throw new Error('not a decrypting source');
    const ranges = [
      { start: 10, end: 20 },
      { start: 140_000, end: 150_000 },
    ];
    const selected = await collect(selectRanges(opened, { ...options, ranges }));
    const expected = concatBytes(ranges.map(({ start, end }) => plaintext.slice(start, end)));
    expect(python('crypt4gh', ['decrypt', '--sk', 'bob.sec'], selected).equals(expected)).toBe(true);
  });

  test('generates keys that are read, with and without a passphrase', async () => {
    python('crypt4gh-keygen', ['--sk', 'open.sec', '--pk', 'open.pub', '--nocrypt', '-f']);
    const open = await parseSecretKey(readFileSync(pathOf('open.sec')));
    expect(open.publicKey).toEqual(parsePublicKey(readFileSync(pathOf('open.pub'))));
    python('crypt4gh-keygen', ['--sk', 'closed.sec', '--pk', 'closed.pub', '-f', '-C', 'a comment'], ENTERED);
    const closed = await parseSecretKey(readFileSync(pathOf('closed.sec')), { passphrase: PASSPHRASE });
    expect(closed.publicKey).toEqual(parsePublicKey(readFileSync(pathOf('closed.pub'))));
  });
});
