import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { areInstalled, createRandom, installPythonPackages } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';

const run = promisify(execFile);
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one. hgvs builds a client of PostgreSQL.
const bin = areInstalled('pg_config')
  ? await installPythonPackages(join(scratch, 'python'), pathOf('seqrepo-requirements.txt'))
  : undefined;
afterAll(() => rmSync(scratch, { recursive: true }));

const random = createRandom(40);
const letters = (count: number): string =>
  Array.from({ length: count }, () => 'ACGT'[Math.floor(4 * random())]).join('');

/** The eleventh base begins a repeat, whose deletion is moved to its end. */
const CHR1 = `${'C'.repeat(10)}${'AT'.repeat(3)}${letters(20_000)}`;
const TRANSCRIPT = letters(2000);
const FILES: Readonly<Record<string, string>> = {
  refseq: `>NC_000001.11\n${CHR1}\n>NM_000551.3 a transcript\n${TRANSCRIPT.toLowerCase()}\n`,
  GRCh38: `>chr1\n${CHR1}\n>1\n${CHR1}\n`,
  ensembl: `>ENST00000530893.6\nACGTNNRYACGT\n`,
  local: '>NM_000551.3\nTTTT\n>both\nTTTT\n',
  other: '>both\nCCCC\n',
};

const ALIASES = [
  'refseq:NC_000001.11',
  'RefSeq:NM_000551.3',
  'NCBI:NM_000551.3',
  'NM_000551.3',
  'ENST00000530893.6',
  'GRCh38:chr1',
  'GRCh38:1',
  'chr1',
  'both',
  'nothing',
  'nothing:chr1',
  'MD5:x',
];
const QUERIES = [
  '?start=2&end=6',
  '?start=6&end=2',
  '?start=6&end=6',
  '?start=1990&end=3000',
  '?start=30000',
  '?end=0',
];
const REFUSED = ['?start=-1', '?start=x', '?end=', '?foo=1'];

/** What is sent to both services. */
const PATHS = [
  ...ALIASES.flatMap((alias) => [`sequence/${alias}`, `metadata/${alias}`]),
  ...[...QUERIES, ...REFUSED].map((query) => `sequence/refseq:NM_000551.3${query}`),
  'metadata/refseq:NM_000551.3?start=1',
];

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

interface Received {
  readonly accession: string;
  readonly part: string;
  readonly names: readonly string[];
  readonly alleles: readonly string[];
  readonly seqrepo: string;
  readonly hgvs: string;
  readonly normalized: string;
  readonly valid: readonly (string | boolean)[];
  readonly answers: readonly Answer[];
}

describe.skipIf(bin === undefined)('clients of SeqRepo', () => {
  let server: RunningServer;
  let received: Received;
  beforeAll(async () => {
    const paths = Object.keys(FILES).map((namespace) => [namespace, join(scratch, `${namespace}.fa`)] as const);
    for (const [namespace, path] of paths) writeFileSync(path, FILES[namespace] ?? '');
    server = await serve({
      paths: [],
      sequenceLocations: paths.map(([namingAuthority, path]) => ({
        location: { kind: 'path', path } as const,
        namingAuthority,
      })),
      host: '127.0.0.1',
      port: 0,
      authority: 'ga4gh',
      settlesFirst: true,
      log: () => undefined,
    });
    const files = paths.map(([namespace, path]) => `${namespace}=${path}`);
    const args = [
      pathOf('seqrepo-client.py'),
      `${server.url}/seqrepo`,
      join(scratch, 'repository'),
      JSON.stringify(PATHS),
    ];
    const { stdout } = await run(join(bin ?? '', 'python'), [...args, ...files], { maxBuffer: 2 ** 26 });
    received = JSON.parse(stdout) as Received;
  }, 120_000);
  afterAll(() => server?.close());

  test('vrs-python translates alleles and identifiers', () => {
    const { accession, part, names, alleles } = received;
    expect(accession).toMatch(/^SQ\.[\w-]{32}$/);
    expect(part).toBe(CHR1.slice(100, 160));
    expect([...names].sort()).toEqual(['GRCh38:1', 'GRCh38:chr1']);
    expect(new Set(alleles).size).toBe(1);
    expect(alleles[0]).toMatch(/^ga4gh:VA\.[\w-]{32}$/);
  });

  test('hgvs fetches, normalizes and validates', () => {
    const { hgvs, seqrepo, normalized, valid } = received;
    expect([hgvs, seqrepo]).toEqual([CHR1.slice(100, 160), CHR1.slice(100, 160)]);
    expect(normalized).toBe('NC_000001.11:g.11del');
    expect(valid.filter((result) => result === true)).toHaveLength('ACG'.includes(CHR1[100] ?? '') ? 1 : 0);
  });

  test.each(PATHS.map((path, index) => [path, index] as const))(
    '%s is answered as SeqRepo answers it',
    async (path, index) => {
      const expected = received.answers[index];
      const response = await fetch(`${server.url}/seqrepo/1/${path}`);
      const [type = ''] = response.headers.get('content-type')?.split(';') ?? [];
      const answer: Answer = { status: response.status, type, text: await response.text() };
      expect(comparable(answer)).toEqual(comparable(expected));
    },
  );
});

/** Leaves out what is not known here, and the wording of what is malformed. */
function comparable(answer: Answer | undefined): unknown {
  const { status = 0, type, text = '' } = answer ?? {};
  // SeqRepo has a media type without a body.
  if (status === 404) return { status, text };
  if (status === 400) return { status, type };
  if (type !== 'application/json')
    return { status, type, text: type === 'text/plain' ? text : (JSON.parse(text) as unknown) };
  const { aliases, length } = JSON.parse(text) as { readonly aliases: readonly string[]; readonly length: number };
  return { status, length, aliases: aliases.filter((alias) => !/^(?:SEGUID|SHA1):/.test(alias)) };
}
