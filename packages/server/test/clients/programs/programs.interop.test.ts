import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areInstalled, fixturePath, installPythonPackages, readFixture } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../../src/runtime/serve.js';
import { lines, runTool } from '../../interop-tools.js';
import { collectionOf } from '../collection-of.js';

const page = readFileSync(new URL('../../../../../docs/clients.md', import.meta.url), 'utf8');
/** The region of the programs, as samtools writes it. */
const REGION = 'chr1:1001-2000';
const UNMAPPED = 4;
const FILES = ['bam', 'bam.bai', 'vcf.gz', 'vcf.gz.tbi'];

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
afterAll(() => rmSync(scratch, { recursive: true }));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
const bin = await installPythonPackages(join(scratch, 'python'), requirements);

let server: RunningServer;
beforeAll(async () => {
  for (const suffix of FILES) {
    const fixture = suffix.startsWith('bam') ? `reads.${suffix}` : `variants.${suffix}`;
    cpSync(fixturePath(fixture), join(scratch, `NA12878.${suffix}`));
  }
  const paths = [...FILES.map((suffix) => join(scratch, `NA12878.${suffix}`)), fixturePath('genome.fa')];
  const options = { paths, host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
  server = await serve({ ...options, settlesFirst: true });
});
afterAll(() => server.close());

/** Returns the block of the page in a language that contains a text. Throws if there is none. */
function blockOf(language: string, text: string): string {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  const block = Array.from(blocks, ([, code = '']) => code).find((code) => code.includes(text));
  if (block === undefined) throw new Error(`docs/clients.md has no ${language} block with ${JSON.stringify(text)}`);
  return block;
}

/** Returns the lines that a block of the page prints in the scratch folder, with other texts in it. */
async function runBlock(
  command: string,
  block: string,
  texts: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  let program = block.replaceAll('http://127.0.0.1:8080', server.url);
  for (const [text, other] of Object.entries(texts)) program = program.replaceAll(text, other);
  const path = join(scratch, 'program');
  writeFileSync(path, program);
  return lines(await runTool(['env', `--chdir=${scratch}`, command, path]));
}

/** Returns the names of the reads of the region in the local file, each with what is made of its POS. */
async function localReads(toPosition: (pos: number, isUnmapped: boolean) => number | 'NA'): Promise<string[]> {
  const records = lines(await runTool(['samtools', 'view', fixturePath('reads.bam'), REGION]));
  expect(records.length).toBeGreaterThan(5);
  return records.map((record) => {
    const [name = '', flags, , pos] = record.split('\t');
    return `${name} ${toPosition(Number(pos), (Number(flags) & UNMAPPED) !== 0)}`;
  });
}

describe.skipIf(bin === undefined)('the programs of docs/clients.md in Python', () => {
  const python = join(bin ?? '', 'python');

  test('pysam prints the reads of the local file', async () => {
    expect(await runBlock(python, blockOf('python', 'import pysam'))).toEqual(await localReads((pos) => pos - 1));
  });

  test('cyvcf2 prints the variants of the local file', async () => {
    const query = ['bcftools', 'query', '-f', '%POS0 %REF %ALT\\n', '-r', REGION, fixturePath('variants.vcf.gz')];
    const expected = lines(await runTool(query));
    expect(expected.length).toBeGreaterThan(5);
    expect(await runBlock(python, blockOf('python', 'import VCF'))).toEqual(expected);
  });

  test('refget prints the bases of a sequence', async () => {
    const digest = await collectionOf(server.url);
    const { sequences } = (await (await fetch(`${server.url}/collection/${digest}`)).json()) as { sequences: string[] };
    const texts = { DIGEST: `"${digest}"`, OTHER: `"${digest}"`, SEQUENCE: `"${sequences[0]}"` };
    const printed = await runBlock(python, blockOf('python', 'refget.clients'), texts);
    const [, bases = ''] = new TextDecoder().decode(readFixture('genome.fa')).split(/^>.*$/m);
    expect(printed.at(-1)).toBe(bases.replaceAll('\n', '').slice(0, 60).toUpperCase());
    expect(printed[0]).toContain(digest);
  });

  test('gtars digests what curl downloaded to the digest of the server', async () => {
    const digest = await collectionOf(server.url);
    await runBlock('sh', blockOf('sh', 'curl -o genome.fa'), { DIGEST: digest });
    expect(await runBlock(python, blockOf('python', 'digest_fasta'))).toEqual([digest]);
  });
});

test.skipIf(!areInstalled('Rscript'))('Rsamtools prints the reads of the local file', async () => {
  expect(await runBlock('Rscript', blockOf('r', 'library(Rsamtools)'))).toEqual(
    await localReads((pos, isUnmapped) => (isUnmapped ? 'NA' : pos)),
  );
});
