import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encryptStream, formatSecretKey, generateKeyPair, type KeyPair } from '@htskit/crypt4gh';
import { readFixture } from '@htskit/testing';
import { onTestFinished } from 'vitest';

/** A key pair whose secret key is in a file. */
export interface KeyFile extends KeyPair {
  readonly path: string;
  /** The content of the file. */
  readonly text: string;
}

/** A folder with encrypted files and a key that opens them. */
export interface EncryptedFolder {
  readonly path: string;
  readonly key: KeyFile;
  /** Encrypts a fixture, or other bytes, into a file of the folder. */
  add(name: string, content?: Uint8Array, recipients?: readonly Uint8Array[]): Promise<string>;
  /** Writes a file as it is. */
  addPlain(name: string, content?: Uint8Array): string;
}

/** Encrypts bytes for some public keys. */
export async function encrypt(bytes: Uint8Array, recipients: readonly Uint8Array[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  async function* content(): AsyncGenerator<Uint8Array, void> {
    yield bytes;
  }
  for await (const chunk of encryptStream(content(), { recipients })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Generates a key pair, and writes the secret key to a file of a folder. */
export async function createKeyFile(folder: string, name: string, passphrase?: string): Promise<KeyFile> {
  const pair = generateKeyPair();
  const path = join(folder, name);
  const text = await formatSecretKey(pair.secretKey, { passphrase });
  writeFileSync(path, text);
  return { ...pair, path, text };
}

/** Creates a folder that is removed after the test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Creates an empty folder, and a key in another one. */
export async function createEncryptedFolder(): Promise<EncryptedFolder> {
  const path = createFolder();
  const key = await createKeyFile(createFolder(), 'server.sec');
  const addPlain = (name: string, content: Uint8Array = readFixture(name)): string => {
    writeFileSync(join(path, name), content);
    return join(path, name);
  };
  return {
    path,
    key,
    addPlain,
    async add(name, content = readFixture(name), recipients = [key.publicKey]) {
      return addPlain(`${name}.c4gh`, await encrypt(content, recipients));
    },
  };
}

/** Serves files by their paths, with ranges, until the end of the test, and returns the URL of the web server. */
export async function startWebServer(files: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const server = createServer(({ method, url = '', headers }, response) => {
    const file = files.get(url);
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const [, from = '0', to = String(file.length - 1)] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
    const [start, end] = [Number(from), Math.min(Number(to) + 1, file.length)];
    const range = { 'content-range': `bytes ${start}-${end - 1}/${file.length}`, etag: '"1"' };
    response.writeHead(headers.range === undefined ? 200 : 206, { ...range, 'content-length': end - start });
    response.end(method === 'HEAD' ? undefined : file.subarray(start, end));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
