import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SequenceDigester, type SequenceIdentifier } from '@htskit/digest';
import { importFasta, openSequenceStore, type Sequence } from '@htskit/sequences';
import { folderStore } from '@htskit/storage/folder';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, encodeTwoBit, expectations, fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { digestPath } from '../../src/sequences/digest-file.node.js';
import { type WatchedSequenceOptions, WatchedSequences } from '../../src/sequences/watched-sequences.node.js';

/** The error code with which `readdir` fails; undefined if it succeeds. */
const readdirFailure = vi.hoisted((): { code: string | undefined } => ({ code: undefined }));

vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof import('node:fs/promises')>();
  const readdir = (...parameters: Parameters<typeof actual.readdir>): Promise<unknown> => {
    const { code } = readdirFailure;
    if (code === undefined) return actual.readdir(...parameters);
    return Promise.reject(Object.assign(new Error(`${code}: no`), { code }));
  };
  return { ...actual, readdir };
});

let folder: string;
const logged: string[] = [];
const opened: WatchedSequences[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  readdirFailure.code = undefined;
  logged.length = 0;
  for (const sources of opened.splice(0)) await sources.close();
  rmSync(folder, { recursive: true });
});

/** Opens the folder without waiting for digests. */
async function begin(options: Partial<WatchedSequenceOptions> = {}): Promise<WatchedSequences> {
  const sources = await WatchedSequences.open({ paths: [folder], log: (message) => logged.push(message), ...options });
  opened.push(sources);
  return sources;
}

async function open(options: Partial<WatchedSequenceOptions> = {}): Promise<WatchedSequences> {
  const sources = await begin(options);
  await sources.settled();
  return sources;
}

const md5Of = (bases: string): string => new SequenceDigester().update(Buffer.from(bases)).digest().md5;

async function namesOf(sources: WatchedSequences, digest: string): Promise<string[]> {
  const sequences = await sources.find({ kind: 'md5', digest });
  return sequences.flatMap(({ metadata }) =>
    metadata.aliases.map((alias) => `${alias.namingAuthority}:${alias.alias}`),
  );
}

/** A sparse file that takes longer to digest than a test waits. */
function writeEndless(path: string): void {
  writeFileSync(path, '>endless\nACGT\n');
  truncateSync(path, 2 ** 36);
}

/** A FASTA of 5 MB, whose digests are cached in a file. */
function writeLong(path: string, seed = 1): void {
  const random = createRandom(seed);
  const bytes = Buffer.alloc(5_000_000, 'A');
  for (let at = 0; at < bytes.length; at += 7) bytes[at] = 'ACGT'.charCodeAt(Math.floor(random() * 4));
  writeFileSync(path, Buffer.concat([Buffer.from('>long\n'), bytes, Buffer.from('\n')]));
}

/** Looks up a sequence as if some milliseconds had passed since the last scan. */
function findAfter(
  sources: WatchedSequences,
  milliseconds: number,
  identifier: SequenceIdentifier,
): Promise<readonly Sequence[]> {
  const now = performance.now() + milliseconds;
  vi.spyOn(performance, 'now').mockReturnValue(now);
  return sources.find(identifier);
}

const longDigest = (sources: WatchedSequences): string => sources.longest(9)[0]?.metadata.md5 ?? '';

test('serves 2bit, plain and bgzipped FASTA together and merges equal sequences', async () => {
  cpSync(fixturePath('genome.fa'), join(folder, 'genome.fa'));
  cpSync(fixturePath('genome.fa.gz'), join(folder, 'again.fna.gz'));
  writeFileSync(join(folder, 'small.2bit'), encodeTwoBit([{ name: 's', bases: 'GATTACAN' }]));
  const sources = await open({ namingAuthority: 'here' });
  expect(await namesOf(sources, md5Of('GATTACAN'))).toEqual(['here:s']);
  for (const { name, md5 } of expectations('genome.fa').sequences) {
    expect(await namesOf(sources, md5 ?? '')).toEqual([`here:${name}`]);
  }
  expect([sources.namingAuthorities, logged]).toEqual([['here'], []]);
});

describe('a 2bit file beside a SAM header', () => {
  test.each(['copy.dict', 'copy.2bit.dict'])('is not served if %s has other MD5s', async (name) => {
    writeFileSync(join(folder, 'copy.2bit'), encodeTwoBit([{ name: 's', bases: 'ACNGT' }]));
    writeFileSync(join(folder, name), `@SQ\tSN:s\tLN:5\tM5:${md5Of('ACRGT')}\n`);
    const sources = await open();
    expect(sources.longest(9)).toEqual([]);
    expect(logged).toEqual([expect.stringMatching(/copy\.2bit is not served: .*A, C, G, T and N$/) as string]);
  });

  test('is served if the header has its MD5s', async () => {
    writeFileSync(join(folder, 'copy.2bit'), encodeTwoBit([{ name: 's', bases: 'ACNGT' }]));
    writeFileSync(join(folder, 'copy.dict'), `@SQ\tSN:s\tLN:5\tM5:${md5Of('ACNGT')}\n`);
    expect((await open()).longest(9)).toHaveLength(1);
  });
});

test('serves a RefgetStore with its current aliases and without a collection', async () => {
  const { sha512t24u, md5 } = new SequenceDigester().update(Buffer.from('GATTACA')).digest();
  const digest = sha512t24u.slice(3);
  mkdirSync(join(folder, 'store', 'sequences'), { recursive: true });
  writeFileSync(
    join(folder, 'store', 'rgstore.json'),
    JSON.stringify({
      version: 1,
      mode: 'Raw',
      seqdata_path_template: 'sequences/%s.seq',
      sequence_alias_namespaces: ['insdc'],
    }),
  );
  writeFileSync(join(folder, 'store', 'sequences.rgsi'), `s\t7\tdna2bit\t${digest}\t${md5}\n`);
  writeFileSync(join(folder, 'store', 'sequences', `${digest}.seq`), 'GATTACA');
  const table = join(folder, 'store', 'aliases', 'sequences', 'insdc.tsv');
  mkdirSync(dirname(table), { recursive: true });
  writeFileSync(table, '');
  const sources = await open({ namingAuthority: 'here' });
  const [sequence] = await sources.find({ kind: 'curie', namespace: 'here', name: 's' });
  expect(new TextDecoder().decode(await sequence?.read({ start: 1, end: 4 }))).toBe('ATT');
  expect(await sources.collections.list({ filters: [], start: 0, limit: 9 })).toMatchObject({ total: 0 });
  writeFileSync(table, `CM1.1\t${digest}\n`);
  await findAfter(sources, 60_000, { kind: 'md5', digest: md5 });
  await sources.settled();
  expect(await namesOf(sources, md5)).toEqual(['here:s', 'insdc:CM1.1']);
  expect(logged).toEqual([]);
});

test('serves a sequence store below the folder without searching it for files', async () => {
  const store = join(folder, 'data', 'store');
  const data = memorySource(Buffer.from('>s\nGATTACA\n'));
  const { collection = '' } = await importFasta({ store: folderStore(store), data, namingAuthority: 'there' });
  writeFileSync(join(store, 'sequences', 'a.fa'), '>a\nACGT\n');
  const sources = await open({ namingAuthority: 'here' });
  expect([await namesOf(sources, md5Of('GATTACA')), await namesOf(sources, md5Of('ACGT'))]).toEqual([['there:s'], []]);
  expect([sources.namingAuthorities, logged]).toEqual([['there'], []]);
  const listed = await sources.collections.list({ filters: [], start: 0, limit: 9 });
  expect(listed).toEqual({ digests: [collection], total: 1 });
  expect((await sources.collections.find(collection))?.arrays.names.at(0)).toBe('s');
  rmSync(store, { recursive: true });
  expect(await findAfter(sources, 60_000, { kind: 'md5', digest: md5Of('GATTACA') })).toEqual([]);
  expect(sources.namingAuthorities).toEqual([]);
});

test('lists the collections of stores and of files together', async () => {
  const text = '>s\nGATTACA\n';
  const objects = folderStore(join(folder, 'elsewhere'));
  const { collection = '' } = await importFasta({ store: objects, data: memorySource(Buffer.from(text)) });
  mkdirSync(join(folder, 'files'));
  writeFileSync(join(folder, 'files', 'same.fa'), text);
  writeFileSync(join(folder, 'files', 'other.fa'), '>other\nACGT\n');
  const sources = await open({ paths: [join(folder, 'files')], stores: [await openSequenceStore(objects)] });
  const { digests, total } = await sources.collections.list({ filters: [], start: 0, limit: 9 });
  expect([total, digests.includes(collection)]).toEqual([2, true]);
  const found = await sources.collections.findAttribute('names', await digestOfNames(sources, collection));
  expect(found?.digest).toBe(collection);
});

async function digestOfNames(sources: WatchedSequences, digest: string): Promise<string> {
  return (await sources.collections.find(digest))?.attributes.names.digest ?? '';
}

describe('while a file is digested', () => {
  test('serves other files and answers 503 for unknown sequences', async () => {
    writeEndless(join(folder, 'a.fa'));
    writeFileSync(join(folder, 'b.fa'), '>b\nGATTACA\n');
    const sources = await begin();
    await expect
      .poll(async () => (await sources.find({ kind: 'md5', digest: md5Of('GATTACA') }).catch(() => [])).length)
      .toBe(1);
    await expect(sources.find({ kind: 'md5', digest: '0'.repeat(32) })).rejects.toMatchObject({
      status: 503,
      retryAfterSeconds: 5,
    });
    await expect(sources.collections.find('x')).rejects.toMatchObject({ status: 503 });
    expect(await sources.collections.list({ filters: [], start: 0, limit: 9 })).toMatchObject({ total: 1 });
  });

  test('stops at once when it is closed, without logging', async () => {
    writeEndless(join(folder, 'a.fa'));
    const updates: number[] = [];
    let stops = 0;
    const sources = await begin({
      startProgress: () => ({ update: (bytes) => updates.push(bytes), stop: () => (stops += 1) }),
    });
    await expect.poll(() => updates.length).toBeGreaterThan(0);
    await sources.close();
    expect([stops, logged]).toEqual([1, []]);
  });

  test('reports an unknown sequence as not found after digesting', async () => {
    writeFileSync(join(folder, 'b.fa'), '>b\nGATTACA\n');
    const sources = await open();
    expect(await sources.find({ kind: 'md5', digest: '0'.repeat(32) })).toEqual([]);
  });
});

describe('digests', () => {
  test('are cached beside the file and used instead of reading it', async () => {
    const path = join(folder, 'long.fa');
    writeLong(path);
    const first = longDigest(await open());
    expect(existsSync(`${path}.digests`)).toBe(true);
    const updates: number[] = [];
    const startProgress = () => ({ update: (bytes: number) => updates.push(bytes), stop: () => undefined });
    expect(longDigest(await open({ startProgress }))).toBe(first);
    expect([updates, logged]).toEqual([[], []]);
  });

  test('are recomputed when the file has changed', async () => {
    const path = join(folder, 'long.fa');
    writeLong(path);
    const first = longDigest(await open());
    writeLong(path, 2);
    const second = longDigest(await open());
    expect(second).not.toBe(first);
    const kept = readFileSync(`${path}.digests`, 'utf8');
    utimesSync(path, 1, 1);
    expect(longDigest(await open())).toBe(second);
    expect(readFileSync(`${path}.digests`, 'utf8')).not.toBe(kept);
  });

  test('are recomputed if the cached ones are damaged, which is logged', async () => {
    const path = join(folder, 'long.fa');
    writeLong(path);
    const first = longDigest(await open());
    const kept = readFileSync(`${path}.digests`);
    const md5At = kept.indexOf(Buffer.from(first, 'hex'));
    expect(md5At).toBeGreaterThan(0);
    writeFileSync(`${path}.digests`, kept.with(md5At, 1 ^ (kept[md5At] ?? 0)));
    expect(longDigest(await open())).toBe(first);
    expect(logged).toEqual([expect.stringMatching(/long\.fa: cannot use the saved digests: /) as string]);
    expect(readFileSync(`${path}.digests`)).toEqual(kept);
  });

  test('are cached in a folder, which is created, under the name and a hash of the path', async () => {
    for (const below of ['a', 'b']) {
      mkdirSync(join(folder, below));
      writeLong(join(folder, below, 'long.fa'), below.length + below.charCodeAt(0));
    }
    const cache = join(folder, 'x', 'cache');
    const first = await open({ cache });
    expect(readdirSync(cache).toSorted()).toEqual(
      ['a', 'b'].map((below) => digestPath(join(folder, below, 'long.fa'), cache).slice(cache.length + 1)).toSorted(),
    );
    expect(readdirSync(join(folder, 'a'))).toEqual(['long.fa']);
    const updates: number[] = [];
    const startProgress = () => ({ update: (bytes: number) => updates.push(bytes), stop: () => undefined });
    const second = await open({ cache, startProgress });
    expect(second.longest(9).map(({ metadata }) => metadata)).toEqual(first.longest(9).map(({ metadata }) => metadata));
    expect(updates).toEqual([]);
  });

  test('are recomputed when the file was rewritten in place and its times were set back', async () => {
    const path = join(folder, 'long.fa');
    writeLong(path);
    utimesSync(path, 1, 1);
    const first = longDigest(await open());
    writeLong(path, 2);
    utimesSync(path, 1, 1);
    expect(longDigest(await open())).not.toBe(first);
  });

  test('replace a link without writing its target', async () => {
    writeLong(join(folder, 'long.fa'));
    writeFileSync(join(folder, 'other'), 'precious');
    symlinkSync('other', join(folder, 'long.fa.digests'));
    await open();
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('precious');
    expect(lstatSync(join(folder, 'long.fa.digests')).isFile()).toBe(true);
    expect(logged).toEqual([expect.stringMatching(/not a saved table/) as string]);
  });

  test('of a small file are not cached in a file', async () => {
    cpSync(fixturePath('genome.fa'), join(folder, 'genome.fa'));
    await open();
    expect(readdirSync(folder)).toEqual(['genome.fa']);
  });

  test('that cannot be cached are logged, and the file is served', async () => {
    writeLong(join(folder, 'long.fa'));
    writeFileSync(join(folder, 'file'), '');
    const sources = await open({ cache: join(folder, 'file') });
    expect(sources.longest(9)).toHaveLength(1);
    expect(logged.at(-1)).toMatch(/long\.fa: cannot save the digests: /);
  });
});

describe('a served file', () => {
  const gattaca = { kind: 'md5', digest: md5Of('GATTACA') } as const;

  beforeEach(() => {
    writeFileSync(join(folder, 'a.fa'), '>a\nGATTACA\n');
  });

  const look = (sources: WatchedSequences): Promise<readonly Sequence[]> => findAfter(sources, 60_000, gattaca);

  test('stays available while it is digested anew because an index has changed', async () => {
    const sources = await open();
    writeEndless(join(folder, 'b.fa'));
    const [before] = await look(sources);
    writeFileSync(join(folder, 'a.fa.fai'), 'a\t7\t3\t7\t8\n');
    const [during] = await look(sources);
    expect(during).toBe(before);
    expect(new TextDecoder().decode(await during?.read({ start: 0, end: 4 }))).toBe('GATT');
  });

  test('becomes unavailable when an index of other data appears, until that is deleted', async () => {
    const sources = await open();
    writeFileSync(join(folder, 'a.fa.fai'), 'a\t9\t3\t9\t10\n');
    await look(sources);
    await sources.settled();
    expect(await look(sources)).toEqual([]);
    expect(logged).toEqual([expect.stringMatching(/a\.fa is not served: /) as string]);
    rmSync(join(folder, 'a.fa.fai'));
    await expect(look(sources)).rejects.toMatchObject({ status: 503 });
    await sources.settled();
    expect(await look(sources)).toHaveLength(1);
  });

  test('becomes unavailable when it is rewritten in place, even if its times are set back', async () => {
    utimesSync(join(folder, 'a.fa'), 1, 1);
    const sources = await open();
    writeFileSync(join(folder, 'a.fa'), '>a\nACATTAG\n');
    utimesSync(join(folder, 'a.fa'), 1, 1);
    await expect(look(sources)).rejects.toMatchObject({ status: 503 });
    await sources.settled();
    expect(await look(sources)).toEqual([]);
    expect(sources.longest(9).map(({ metadata }) => metadata.md5)).toEqual([md5Of('ACATTAG')]);
  });
});

test('retries an unreadable file with growing delays and logs it once', async () => {
  const { sha512t24u, md5 } = new SequenceDigester().update(Buffer.from('GATTACA')).digest();
  const manifest = { version: 1, mode: 'Raw', seqdata_path_template: '%s', sequence_index: 'table' };
  writeFileSync(join(folder, 'rgstore.json'), JSON.stringify(manifest));
  let trials = 0;
  const startProgress = () => ({ update: () => undefined, stop: () => trials++ });
  const sources = await open({ startProgress });
  const trialsAfter: number[] = [];
  for (let seconds = 1; seconds <= 16; seconds++) {
    await findAfter(sources, 1000, { kind: 'md5', digest: md5 }).catch(() => []);
    await sources.settled();
    trialsAfter.push(trials);
  }
  expect(trialsAfter).toEqual([1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4]);
  expect(logged).toEqual([expect.stringMatching(/rgstore\.json is not served: .*no such file/) as string]);
  writeFileSync(join(folder, 'table'), `s\t7\tdna2bit\t${sha512t24u.slice(3)}\t${md5}\n`);
  await expect(findAfter(sources, 60_000, { kind: 'md5', digest: md5 })).rejects.toMatchObject({ status: 503 });
  await sources.settled();
  expect(await findAfter(sources, 1000, { kind: 'md5', digest: md5 })).toHaveLength(1);
});

describe('names', () => {
  beforeEach(() => {
    writeFileSync(join(folder, 'g.fa'), '>chr1\nGATTACA\n>chrM\nACCA\n');
  });

  test('come from files, alias tables and the list of circular sequences', async () => {
    const table = join(folder, 'aliases.tsv');
    writeFileSync(table, `#sequence\talias\tauthority\nchrM\tMT\tncbi\nmd5:${md5Of('GATTACA')}\tCM1.1\tinsdc\n`);
    const sources = await open({ namingAuthority: 'ucsc', aliases: [table], circular: ['chrM'] });
    expect(await namesOf(sources, md5Of('GATTACA'))).toEqual(['ucsc:chr1', 'insdc:CM1.1']);
    const [mitochondrion] = await sources.find({ kind: 'curie', namespace: 'ncbi', name: 'MT' });
    expect(mitochondrion?.metadata).toMatchObject({ length: 4, circular: true });
    expect(sources.namingAuthorities).toEqual(['insdc', 'ncbi', 'ucsc']);
  });

  test('that no sequence has are reported once, with one name for each sequence of the table', async () => {
    writeFileSync(join(folder, 'hg38.chromAlias.txt'), 'one\tchr1\tensembl\ntwo\tchr2\tensembl\nII\tchr2\tncbi\n');
    writeFileSync(join(folder, 'own.tsv'), `${md5Of('ACCA')}\tMT\tncbi\nchrZ\tZ\tncbi\n${md5Of('A')}\tA\tncbi\n`);
    const aliases = ['hg38.chromAlias.txt', 'own.tsv'].map((name) => join(folder, name));
    const sources = await open({ aliases, circular: ['chrM', 'pUC19'] });
    const message = `no sequence has the name pUC19, chr2, chrZ, ${md5Of('A')}; see the aliases and circular names`;
    expect(logged).toEqual([message]);
    expect(await namesOf(sources, md5Of('GATTACA'))).toEqual(['ucsc:chr1', 'ensembl:one']);
  });

  test('that a file may have are not reported while it is not served, and reported when it is gone', async () => {
    writeFileSync(join(folder, 'more.2bit'), 'not a 2bit file');
    const sources = await open({ circular: ['chr2'] });
    expect(logged).toEqual([expect.stringMatching(/more\.2bit is not served: /) as string]);
    rmSync(join(folder, 'more.2bit'));
    await findAfter(sources, 60_000, { kind: 'md5', digest: md5Of('ACCA') });
    await sources.settled();
    await vi.waitFor(() => expect(logged.slice(1)).toEqual([expect.stringMatching(/^no sequence has the name chr2;/)]));
  });

  test('of a table may be compressed', async () => {
    const table = join(folder, 'hg38.chromAlias.txt.gz');
    writeFileSync(table, gzipSync('# ucsc\trefseq\nchr1\tNC_1.11\nchrM\tNC_2.1\n'));
    const sources = await open({ aliases: [table] });
    expect(await namesOf(sources, md5Of('GATTACA'))).toEqual(['ucsc:chr1', 'refseq:NC_1.11']);
    expect(logged).toEqual([]);
  });

  test.each([
    ['a malformed line', 'chr1\tone\n', /aliases\.tsv: expected three columns/],
    ['a naming authority that is a digest', 'chr1\tone\tmd5\n', /aliases\.tsv: .*naming authority/],
  ])('are rejected with the path of a table that has %s', async (_, text, message) => {
    const table = join(folder, 'aliases.tsv');
    writeFileSync(table, text);
    await expect(begin({ aliases: [table] })).rejects.toThrow(message);
    await expect(begin({ aliases: [`${table}.not`] })).rejects.toThrow(/aliases\.tsv\.not: no such file or folder$/);
    await expect(begin({ namingAuthority: 'a:b' })).rejects.toThrow(/naming authority/);
  });

  test('serves each file as a collection', async () => {
    writeFileSync(join(folder, 'empty.fa'), '');
    const sources = await open();
    const { digests, total } = await sources.collections.list({ filters: [], start: 0, limit: 9 });
    expect(total).toBe(1);
    const collection = await sources.collections.find(digests[0] ?? '');
    expect([0, 1, 2].map((index) => collection?.arrays.names.at(index))).toEqual(['chr1', 'chrM', undefined]);
  });
});

describe('a file of many sequences', () => {
  const bases = (index: number): string =>
    `ACGT${index.toString(4).replace(/\d/g, (digit) => 'ACGT'[Number(digit)] ?? '')}`;
  const fasta = Array.from({ length: 5000 }, (_, index) => `>contig${index}\n${bases(index)}\n`).join('');

  test('is found by digest and name together with the other files', async () => {
    writeFileSync(join(folder, 'many.fa'), fasta);
    writeFileSync(join(folder, 'one.fa'), `>other\n${bases(4321)}\n`);
    const sources = await open({ namingAuthority: 'here' });
    expect(await namesOf(sources, md5Of(bases(77)))).toEqual(['here:contig77']);
    expect((await namesOf(sources, md5Of(bases(4321)))).sort()).toEqual(['here:contig4321', 'here:other']);
    const [found] = await sources.find({ kind: 'curie', namespace: 'HERE', name: 'contig4999' });
    expect(found?.metadata.md5).toBe(md5Of(bases(4999)));
    expect([sources.namingAuthorities, logged]).toEqual([['here'], []]);
  });

  test('is no longer found once it is deleted', async () => {
    writeFileSync(join(folder, 'many.fa'), fasta);
    const sources = await open();
    rmSync(join(folder, 'many.fa'));
    expect(await findAfter(sources, 60_000, { kind: 'md5', digest: md5Of(bases(77)) })).toEqual([]);
  });

  test('is digested by a worker if it is long, which reports the records that are left out', async () => {
    writeFileSync(join(folder, 'long.fa'), `>longest\n${'A'.repeat(4_200_000)}\n${fasta}>bad\nAC-GT\n`);
    const sources = await open();
    expect(sources.longest(1).map(({ name }) => name)).toEqual(['longest']);
    expect(await sources.find({ kind: 'md5', digest: md5Of(bases(4999)) })).toHaveLength(1);
    expect(logged.at(-1)).toMatch(/long\.fa: 1 records are not served, .*"bad"$/);
  });
});

test('serves the sequences found before while the folder cannot be read, which is logged once', async () => {
  writeFileSync(join(folder, 'a.fa'), '>a\nACGT\n');
  const sources = await open({ namingAuthority: 'x' });
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  readdirFailure.code = 'EMFILE';
  for (let i = 0; i < 3; i++) {
    now += 100_000;
    expect(await namesOf(sources, md5Of('ACGT'))).toEqual(['x:a']);
  }
  expect(logged).toEqual([
    expect.stringMatching(/^cannot scan for sequences, serving those found before: EMFILE/) as string,
  ]);
  readdirFailure.code = undefined;
  rmSync(join(folder, 'a.fa'));
  now += 100_000;
  expect(await namesOf(sources, md5Of('ACGT'))).toEqual([]);
});

test('fails to open a folder that cannot be read', async () => {
  readdirFailure.code = 'EIO';
  await expect(begin()).rejects.toThrow('EIO');
});
