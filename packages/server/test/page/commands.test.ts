import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type CommandInput, commandsFor, shellQuote, ticketUrl } from '../../page/commands.js';

const INPUT: CommandInput = {
  base: 'https://data.example/genomics/',
  datatype: 'reads',
  id: "cohort/it's a",
  region: { referenceName: 'HLA-A*01:01', start: 999, end: 2000 },
  needsToken: false,
};

const textOf = (client: string, changes: Partial<CommandInput> = {}): string =>
  commandsFor({ ...INPUT, ...changes }).find((command) => command.client === client)?.text ?? '';

test('the URL of the ticket names exactly the region', () => {
  expect(ticketUrl(INPUT)).toBe(
    "https://data.example/genomics/reads/cohort/it's%20a?referenceName=HLA-A*01%3A01&start=999&end=2000",
  );
  expect(ticketUrl({ ...INPUT, region: undefined, format: 'CRAM' })).toBe(
    "https://data.example/genomics/reads/cohort/it's%20a?format=CRAM",
  );
});

test.each([
  ['a.b/c:1-2', 'a.b/c:1-2'],
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ['$(reboot)', "'$(reboot)'"],
  ['', "''"],
])('quotes %s for a shell', (text, quoted) => {
  expect(shellQuote(text)).toBe(quoted);
});

test('regions of htskit are 1-based, with braces for a name with colons', () => {
  expect(textOf('htskit', { id: 'a' })).toBe(
    "htskit get https://data.example/genomics/reads/a '{HLA-A*01:01}:1,000-2,000' -o a.bam",
  );
});

test('variants are read by bcftools, and not by JBrowse', () => {
  const clients = commandsFor({ ...INPUT, datatype: 'variants' }).map(({ client }) => client);
  expect(clients).toEqual(['bcftools', 'htskit', 'curl', 'Python', 'R', 'igv.js']);
  expect(textOf('htskit', { datatype: 'variants', id: 'a' })).toMatch(/ -o a\.vcf\.gz$/);
});

test('commands refer to a token, and never contain it', () => {
  const commands = commandsFor({ ...INPUT, needsToken: true });
  for (const { text, note } of commands) expect(`${text} ${note}`).toMatch(/token/i);
  expect(textOf('samtools', { needsToken: true })).toMatch(/^export HTS_AUTH_LOCATION=token\.txt\nsamtools view /);
  expect(commands.map(({ client }) => client)).not.toContain('JBrowse');
});

test('browsers are offered only what they read', () => {
  const clients = commandsFor({ ...INPUT, format: 'CRAM' }).map(({ client }) => client);
  expect(clients).toEqual(['samtools', 'htskit', 'curl', 'Python', 'R']);
});

test('JBrowse is configured with the reference of this server if it has it', () => {
  const fasta = 'https://data.example/genomics/collection/abc/fasta';
  const { assemblies, tracks } = JSON.parse(textOf('JBrowse', { fasta })) as Record<string, Record<string, unknown>[]>;
  const locationOf = (uri: string): unknown => ({ uri, locationType: 'UriLocation' });
  expect(assemblies?.[0]?.['sequence']).toMatchObject({
    adapter: { fastaLocation: locationOf(fasta), faiLocation: locationOf(`${fasta}.fai`) },
  });
  expect(tracks?.[0]?.['assemblyNames']).toEqual([assemblies?.[0]?.['name']]);
  expect(JSON.parse(textOf('JBrowse'))).toMatchObject({ assemblyNames: ['ASSEMBLY'] });
});

test('the curl command quotes what a ticket contains', () => {
  expect(textOf('curl')).toContain('sub(".*,"; "") | @sh)');
});

test.skipIf(spawnSync('jq', ['--version']).status !== 0)('the curl command runs nothing that a ticket contains', () => {
  const [, program = ''] = /jq -r '(.*)' \| sh/s.exec(textOf('curl')) ?? [];
  const urls = [
    { url: 'data:;base64,QUJD' },
    { url: 'data:,x; echo injected >&2' },
    { url: 'data:,$(echo injected >&2)' },
  ];
  const script = execFileSync('jq', ['-r', program], { input: JSON.stringify({ htsget: { urls } }), encoding: 'utf8' });
  const { stdout, stderr } = spawnSync('sh', { input: script, encoding: 'utf8' });
  expect(stdout).toMatch(/^ABC/);
  expect(stderr).not.toContain('injected');
});

test('igv.js reads the reference from this server if it has it', () => {
  const fasta = 'https://data.example/genomics/collection/abc/fasta';
  const text = textOf('igv.js', { fasta });
  const options = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as Record<string, unknown>;
  expect(options).toMatchObject({
    reference: { fastaURL: fasta, indexURL: `${fasta}.fai` },
    locus: 'HLA-A*01:01:1,000-2,000',
    tracks: [{ type: 'alignment', sourceType: 'htsget', url: "https://data.example/genomics/reads/cohort/it's%20a" }],
  });
});
