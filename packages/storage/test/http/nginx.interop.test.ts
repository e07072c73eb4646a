import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { areInstalled, byteSourceContract, type ContractSubject, startServer, type TestServer } from '@htskit/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { httpSource } from '../../src/http/http-source.js';

let folder = '';
let server: TestServer<{ readonly url: string }>;
let count = 0;

describe.skipIf(!areInstalled('nginx'))('nginx', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'htskit-nginx-'));
    server = await startServer('nginx.mjs', folder);
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  byteSourceContract('httpSource', createFile, { without: ['bytesRead'] });
});

async function createFile(bytes: Uint8Array): Promise<ContractSubject> {
  count++;
  const name = `object ${count}`;
  const path = join(folder, name);
  await writeFile(path, bytes);
  const { url } = server.details;
  return {
    source: httpSource(`${url}/${name}`),
    missing: httpSource(`${url}/missing`),
    replace: async (replacement) => {
      await writeFile(`${path}.new`, replacement);
      // Its entity-tag is made of whole seconds and the size.
      await utimes(`${path}.new`, 1, 1);
      await rename(`${path}.new`, path);
    },
  };
}
