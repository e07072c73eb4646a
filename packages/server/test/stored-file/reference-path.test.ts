import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { expandPath, openReferencePath, splitSearchPath } from '../../src/stored-file/reference-path.js';
import { openReferenceSearch } from '../../src/stored-file/reference-search.js';

const BASES = 'ACGTACGTAA';
const MD5 = createHash('md5').update(BASES).digest('hex');
const REQUEST = { name: 'one', md5: MD5, length: BASES.length, start: 2, end: 6, signal: undefined };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** Returns the bases that the first source with them has. */
async function read(variables: { REF_PATH?: string; REF_CACHE?: string }): Promise<string | undefined> {
  for (const source of openReferencePath(variables)) {
    const bases = await source(REQUEST);
    if (bases !== undefined) return new TextDecoder().decode(bases);
  }
  return undefined;
}

/** Serves these bases under every path. */
async function serveBases(bases: string): Promise<{ readonly url: string; readonly paths: string[] }> {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    paths.push(url);
    if (url.endsWith(MD5)) response.end(bases);
    else response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

test.each([
  ['/refs/%2s/%2s/%s', '/refs/01/23/4567'],
  ['/refs/%s', '/refs/01234567'],
  ['/refs', '/refs/01234567'],
  ['/refs/', '/refs/01234567'],
  ['/refs/%2s', '/refs/01/234567'],
  ['/refs/%20s', '/refs/01234567'],
  ['http://host/%s?x=%2s', 'http://host/01234567?x='],
])('%s stands for %s', (template, path) => {
  expect(expandPath(template, '01234567')).toBe(path);
});

test.each([
  ['/a:/b/%2s/%s', ['/a', '/b/%2s/%s']],
  [':/a::', ['/a:']],
  ['http://host:8080/a/%s:/b', ['http://host:8080/a/%s', '/b']],
  ['/b:https://host/%s:URL=http://host:1/%s', ['/b', 'https://host/%s', 'http://host:1/%s']],
  ['http://host/a::b:/c', ['http://host/a:b', '/c']],
  ['', []],
])('%s is split as by samtools', (path, elements) => {
  expect(splitSearchPath(path)).toEqual(elements);
});

describe('a sequence', () => {
  test('is found in the first folder that has it', async () => {
    mkdirSync(join(folder, 'b', MD5.slice(0, 2)), { recursive: true });
    writeFileSync(join(folder, 'b', MD5.slice(0, 2), MD5.slice(2)), BASES);
    expect(await read({ REF_PATH: `${folder}/a:${folder}/b/%2s/%s` })).toBe('GTAC');
    expect(await read({ REF_CACHE: `${folder}/b/%2s/%s` })).toBe('GTAC');
    expect(await read({ REF_PATH: `${folder}/a` })).toBeUndefined();
    expect(await read({})).toBeUndefined();
  });

  test('that is shorter than the header says is another one', async () => {
    writeFileSync(join(folder, MD5), BASES.slice(1));
    expect(await read({ REF_PATH: folder })).toBeUndefined();
  });

  test('of a URL is verified, and kept in the cache', async () => {
    const { url, paths } = await serveBases(BASES);
    const variables = { REF_PATH: `${url}/none/x:${url}/%s`, REF_CACHE: `${folder}/cache/%2s/%s` };
    const isCached = (): boolean => existsSync(expandPath(variables.REF_CACHE, MD5));
    const other = await serveBases(BASES.replace('A', 'C'));
    expect(await read({ ...variables, REF_PATH: `${other.url}/%s` })).toBeUndefined();
    expect(isCached()).toBe(false);
    expect(await read({ ...variables, REF_PATH: `${folder}/a:${url}/%s` })).toBe('GTAC');
    expect(readFileSync(expandPath(variables.REF_CACHE, MD5), 'utf8')).toBe(BASES);
    expect(await read(variables)).toBe('GTAC');
    expect(paths).toEqual([`/${MD5}`]);
  });
});

describe('a command', () => {
  const fasta = (bases: string): string => `>one\n${bases}\n`;
  const toText = (bases: Uint8Array | undefined): string => new TextDecoder().decode(bases);

  test('looks at the given file, then by MD5, then at the file that UR names', async () => {
    for (const name of ['given', 'named']) writeFileSync(join(folder, `${name}.fa`), fasta(`${name}-----`));
    writeFileSync(join(folder, MD5), BASES);
    const uri = join(folder, 'named.fa');
    const environment = { REF_PATH: folder };
    const location = join(folder, 'given.fa');
    const given = await openReferenceSearch({ location, isLocal: true, environment });
    expect(toText(await given({ ...REQUEST, uri }))).toBe('ven-');
    const byMd5 = await openReferenceSearch({ location: undefined, isLocal: true, environment });
    expect(toText(await byMd5({ ...REQUEST, uri }))).toBe('GTAC');
    const named = await openReferenceSearch({ location: undefined, isLocal: true, environment: {} });
    for (const each of [uri, `file:${uri}`, `file://${uri}`]) {
      expect(toText(await named({ ...REQUEST, uri: each }))).toBe('med-');
    }
    expect(await named({ ...REQUEST, uri: `${uri}.missing` })).toBeUndefined();
    expect(await named({ ...REQUEST, uri: 'http://127.0.0.1:1/genome.fa' })).toBeUndefined();
  });

  test('does not follow UR of a file from elsewhere', async () => {
    writeFileSync(join(folder, 'named.fa'), fasta(BASES));
    const remote = await openReferenceSearch({ location: undefined, isLocal: false, environment: {} });
    expect(await remote({ ...REQUEST, uri: join(folder, 'named.fa') })).toBeUndefined();
  });

  test('tries the other places if a server fails, and reports the failure if no place has the sequence', async () => {
    writeFileSync(join(folder, 'named.fa'), fasta(BASES));
    const environment = { REF_PATH: 'http://127.0.0.1:1/%s' };
    const search = await openReferenceSearch({ location: undefined, isLocal: true, environment });
    expect(toText(await search({ ...REQUEST, uri: join(folder, 'named.fa') }))).toBe('GTAC');
    await expect(search(REQUEST)).rejects.toThrow('cannot connect to the server');
  });
});
