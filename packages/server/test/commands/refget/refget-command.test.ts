import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isStoreFolder, openStoreFolder } from '@htskit/catalogue/internal';
import { expectations, fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startBucket } from '../../bucket.js';
import { type CommandResult, runCommand } from '../../run-command.js';

const GENOME = fixturePath('genome.fa');
const SEQUENCES = expectations('genome.fa').sequences;
const BASES = SEQUENCES.reduce((total, { length }) => total + length, 0);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-refget-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs `htskit refget` in the folder. */
async function refget(...args: string[]): Promise<CommandResult> {
  return runCommand(['refget', ...args], folder);
}

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

/** The file that holds a sequence. */
function objectOf({ sha512t24u }: { readonly sha512t24u: string }): string {
  const trunc512 = Buffer.from(sha512t24u.slice(3), 'base64url').toString('hex');
  return join(folder, 'store', 'sequences', trunc512.slice(0, 3), trunc512);
}

describe('htskit refget import', () => {
  test('imports plain and bgzipped FASTA and reports what was new', async () => {
    const compressed = fixturePath('genome.fa.gz');
    expect(await refget('import', GENOME, compressed, '--store', 'store')).toEqual({
      code: 0,
      stdout: '',
      stderr: [
        `${GENOME}: ${SEQUENCES.length} sequences with ${BASES} bases, ${SEQUENCES.length} of them new`,
        `${compressed}: ${SEQUENCES.length} sequences with ${BASES} bases, 0 of them new\n`,
      ].join('\n'),
    });
    for (const sequence of SEQUENCES) expect(existsSync(objectOf(sequence))).toBe(true);
  });

  test('imports aliases and topology, and reports unused names', async () => {
    const [first] = SEQUENCES;
    const lines = [`${first?.md5.toUpperCase()}\tNC_1\trefseq`, 'chrM\tMT\tensembl', 'chrZ\tZ\tensembl'];
    const table = write('aliases.tsv', `# of digests and names\n${lines.join('\n')}\n`);
    const names = ['--naming-authority', 'ucsc', '--circular', 'chrM', '--circular', 'pUC19', '--aliases', table];
    const { code, stderr } = await refget('import', GENOME, '--store', 'store', ...names);
    expect([code, stderr.split('\n')[1]]).toEqual([0, 'no imported sequence has the name pUC19, chrZ']);
    const sequences = await openStoreFolder(join(folder, 'store'));
    expect(sequences.namingAuthorities).toEqual(['ensembl', 'refseq', 'ucsc']);
    const [mitochondrion] = await sequences.find({ kind: 'curie', namespace: 'ensembl', name: 'MT' });
    expect(mitochondrion?.metadata).toMatchObject({
      circular: true,
      aliases: [
        { alias: 'MT', namingAuthority: 'ensembl' },
        { alias: 'chrM', namingAuthority: 'ucsc' },
      ],
    });
    const [named] = await sequences.find({ kind: 'curie', namespace: 'refseq', name: 'NC_1' });
    expect(named?.metadata.md5).toBe(first?.md5);
    await sequences.close();
  });

  test('reports the sequences of an assembly report that were not imported', async () => {
    write('x.fa', '>chr1\nACGTACGTAC\n>J1.2\nACGT\n');
    const report = [
      '# Sequence-Name\tGenBank-Accn\tRelationship\tRefSeq-Accn\tSequence-Length\tUCSC-style-name',
      '1\tCM1.2\t=\tNC_1.11\t10\tchr1',
      'MT\tJ1.2\t<>\tNC_2.1\t4\tchrM',
      '2\tCM2.2\t=\tNC_2.11\t10\tchr2',
    ];
    const table = write('report.txt', report.join('\r\n'));
    const { code, stderr } = await refget('import', 'x.fa', '--store', 'store', '--aliases', table);
    expect([code, stderr.split('\n').slice(1)]).toEqual([0, ['no imported sequence has the name 2', '']]);
  });

  test('imports nothing if a file is missing or an alias table is malformed', async () => {
    const missing = await refget('import', GENOME, 'missing.fa', '--store', 'store');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toBe('htskit: missing.fa: no such file or folder\n');
    const table = write('aliases.tsv', 'chr1\n');
    const { code, stderr } = await refget('import', GENOME, '--store', 'store', '--aliases', table);
    expect([code, stderr]).toEqual([
      1,
      'htskit: aliases.tsv: expected three columns (name or digest, alias, naming authority), found 1\n',
    ]);
    expect(readdirSync(folder)).toEqual(['aliases.tsv']);
  });

  test('names the file that is not FASTA', async () => {
    const file = write('reads.txt', 'ACGT\n');
    const { code, stderr } = await refget('import', file, '--store', 'store');
    expect([code, stderr]).toEqual([1, 'htskit: reads.txt: not FASTA data: expected ">" at the start (at byte 0)\n']);
  });

  test.each([
    ['no store', [GENOME]],
    ['no file', ['--store', 'store']],
    ['a URL', [GENOME, '--store', 'https://host/store']],
    ['an invalid bucket', [GENOME, '--store', 's3://']],
    ['an empty store', [GENOME, '--store', '']],
    ['an invalid naming authority', [GENOME, '--store', 'store', '--naming-authority', 'md5']],
  ])('is a usage error with %s', async (_, args) => {
    expect((await refget('import', ...args)).code).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('names the missing credentials of a bucket', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, '');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  try {
    const why = 'the request cannot be created: the environment variable AWS_ACCESS_KEY_ID is not set\n';
    expect((await refget('import', GENOME, '--store', 's3://bucket/store')).stderr).toBe(`htskit: ${GENOME}: ${why}`);
    expect((await refget('verify', 's3://bucket/store')).stderr).toBe(`htskit: s3://bucket/store: ${why}`);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('imports to and verifies a store in a bucket with credentials of the environment', async () => {
  const { server } = await startBucket();
  const environment = {
    AWS_ENDPOINT_URL: server.endpoint,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    const store = `s3://${server.bucket}/some/store`;
    expect((await refget('import', GENOME, '--store', store)).code).toBe(0);
    const { code, stderr } = await refget('verify', store);
    expect([code, stderr.split('\n')[0]]).toEqual([
      0,
      `valid: ${SEQUENCES.length} sequences with ${BASES} bases, 0 aliases, 1 collections`,
    ]);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    await server.close();
  }
});

describe('htskit refget verify', () => {
  test('finds no problem in an imported store', async () => {
    await refget('import', GENOME, '--store', 'store', '--naming-authority', 'ucsc');
    const valid = `valid: ${SEQUENCES.length} sequences with ${BASES} bases, ${SEQUENCES.length} aliases, 1 collections\n`;
    expect(await refget('verify', 'store')).toEqual({ code: 0, stdout: '', stderr: valid });
    const { code, stdout } = await refget('verify', 'store', '--json');
    const aliases = SEQUENCES.length;
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        sequences: SEQUENCES.length,
        bases: BASES,
        aliases,
        collections: 1,
        incomplete: 0,
        abandoned: [],
        findings: [],
      },
    ]);
  });

  test('reports problems and fails until the objects are deleted and imported again', async () => {
    await refget('import', GENOME, '--store', 'store');
    const [damaged, shortened] = SEQUENCES.map(objectOf);
    if (damaged === undefined || shortened === undefined) throw new Error('there are too few sequences');
    const bytes = readFileSync(damaged);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 0xff;
    writeFileSync(damaged, bytes);
    const whole = readFileSync(shortened);
    writeFileSync(shortened, whole.subarray(0, -1));
    const { code, stdout, stderr } = await refget('verify', 'store');
    const lines = [
      `${damaged.slice(folder.length + 7)}\tthe bases do not match their sha512t24u`,
      `${shortened.slice(folder.length + 7)}\texpected ${whole.length} bytes, found ${whole.length - 1}`,
    ];
    expect([code, stdout.trimEnd().split('\n').toSorted()]).toEqual([1, lines.toSorted()]);
    expect(stderr).toContain('invalid: 2 objects; delete them, and import the lost sequences again\n');
    const json = await refget('verify', 'store', '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ sequences: SEQUENCES.length - 2 });
    rmSync(damaged);
    await refget('import', GENOME, '--store', 'store');
    expect((await refget('verify', 'store')).code).toBe(0);
  });

  test('fails for a folder that is not a store', async () => {
    for (const place of ['.', 'nowhere']) {
      const stderr = `htskit: ${place}: not a sequence store: htskit-store.json is missing\n`;
      expect(await refget('verify', place)).toEqual({ code: 1, stdout: '', stderr });
    }
    expect(await isStoreFolder(folder)).toBe(false);
    write('htskit-store.json', '{}');
    expect(await isStoreFolder(folder)).toBe(true);
    await expect(openStoreFolder(folder)).rejects.toMatchObject({ code: 'NOT_A_STORE' });
  });
});

describe('the collections of a store', () => {
  const [first, second] = ['>chr1\nACGTNN\n>chr2\nGATTACA\n', '>x\nACGTNN\n>y\nGGGG\n'];

  /** Imports both files and returns the digests of their collections, in their order. */
  async function importBoth(): Promise<string[]> {
    const digests: string[] = [];
    for (const [name, text] of [
      ['a.fa', first],
      ['b.fa', second],
    ] as const) {
      await refget('import', write(name, text), '--store', 'store');
      const listed = (await refget('list', 'store')).stdout.trimEnd().split('\n');
      digests.push(listed.map((line) => line.split('\t')[0] ?? '').find((digest) => !digests.includes(digest)) ?? '');
    }
    return digests;
  }

  test('are listed with their digests', async () => {
    const digests = await importBoth();
    const { code, stdout } = await refget('list', '--json', 'store');
    const listed = JSON.parse(stdout) as { digest: string; length: number; attributes: object }[];
    expect([code, listed.map(({ digest, length }) => [digest, length])]).toEqual([
      0,
      [...digests].sort().map((digest) => [digest, 2]),
    ]);
    expect(Object.keys(listed[0]?.attributes ?? {})).toHaveLength(6);
  });

  test('are exported as FASTA and as a table', async () => {
    const [a = '', b = ''] = await importBoth();
    expect(await refget('export', 'store', a)).toEqual({ code: 0, stdout: first, stderr: '' });
    expect((await refget('export', 'store', b, '-o', 'out.fa')).code).toBe(0);
    expect(readFileSync(join(folder, 'out.fa'), 'utf8')).toBe(second);
    const { stdout } = await refget('export', 'store', b, '--format', 'table');
    expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 2).join())).toEqual([
      '#name,length',
      'x,6',
      'y,4',
      '',
    ]);
  });

  test('are exported as a RefgetStore that serves the same collections', async () => {
    const digests = await importBoth();
    expect((await refget('export', 'store', '--format', 'rgstore', '-o', 'rgstore')).code).toBe(0);
    const index = readFileSync(join(folder, 'rgstore', 'collections.rgci'), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1);
    expect(index.map((line) => line.split('\t')[0]).sort()).toEqual([...digests].sort());
  });

  test('are removed with the sequences that only they have', async () => {
    const [a = '', b = ''] = await importBoth();
    expect(await refget('remove', 'store', a)).toEqual({
      code: 0,
      stdout: '',
      stderr: `removed: collection ${a} and 1 sequences\n`,
    });
    expect((await refget('export', 'store')).stdout).toBe(second);
    const { code, stderr } = await refget('verify', 'store');
    expect([code, stderr]).toEqual([0, 'valid: 2 sequences with 10 bases, 0 aliases, 1 collections\n']);
    const unknown = await refget('remove', 'store', a);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining(`no collection "${a}"`) as string]);
    expect((await refget('remove', 'store', b)).stderr).toContain('and 2 sequences');
  });

  test('need a name if there are several, and a folder for a RefgetStore', async () => {
    const digests = await importBoth();
    const failures: CommandResult[] = [];
    for (const args of [[], digests, ['--format', 'rgstore'], [digests[0] ?? '', '--raw']]) {
      failures.push(await refget('export', 'store', ...args));
    }
    expect(failures.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(failures[0]?.stderr).toContain('the store has 2 collections');
  });
});
