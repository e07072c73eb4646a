import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { HtsgetFile } from '@gmod/bam';
import { areInstalled, expectations, fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandInput, commandsFor, sequenceCommand, ticketUrl } from '../../page/commands.js';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { cli } from '../built-command.js';
import { installHtsget } from '../clients/python-client.js';
import { lines, runTools } from '../interop-tools.js';

const TOKEN = 'secret';
const REGION = { referenceName: 'chr1', start: 1000, end: 20_000 };
/** An id that a shell, a URL and Python each read in their own way. */
const ODD = "cohort/it's 100% $HOME";

interface TestObject extends Pick<CommandInput, 'id' | 'datatype' | 'format'> {
  readonly file: string;
}

/** Objects as the page shows commands for them: tickets have a format of their own if the file is not converted. */
const OBJECTS: readonly TestObject[] = [
  { file: 'reads.bam', id: ODD, datatype: 'reads' },
  { file: 'v31.cram', id: 'v31', datatype: 'reads' },
  { file: 'v31.cram', id: 'v31', datatype: 'reads', format: 'CRAM' },
  { file: 'variants.vcf.gz', id: 'calls', datatype: 'variants' },
  { file: 'variants.bcf', id: 'binary', datatype: 'variants' },
  { file: 'variants.bcf', id: 'binary', datatype: 'variants', format: 'BCF' },
];

const scratch = mkdtempSync(join(tmpdir(), 'htskit-commands-'));
const bin = join(scratch, 'bin');
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const python = (await installHtsget(join(scratch, 'python')))?.replace(/htsget$/, 'python');
const servers: Record<'open' | 'guarded', RunningServer | undefined> = { open: undefined, guarded: undefined };

beforeAll(async () => {
  const data = join(scratch, 'data');
  mkdirSync(join(data, 'cohort'), { recursive: true });
  mkdirSync(bin);
  for (const { file, id } of OBJECTS) {
    const extension = file.slice(file.indexOf('.'));
    copyFileSync(fixturePath(file), join(data, id + extension));
    const index = readdirSync(fixturePath('.')).find(
      (name) => /\.(bai|crai|csi|tbi)$/.test(name) && name.startsWith(`${file}.`),
    );
    if (index !== undefined) copyFileSync(fixturePath(index), join(data, id + index.slice(file.indexOf('.'))));
  }
  copyFileSync(fixturePath('genome.fa'), join(data, 'genome.fa'));
  writeFileSync(join(bin, 'htskit'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, { mode: 0o755 });
  const options = { paths: [data], host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
  const isKnown = ({ request }: { request: Request }): boolean =>
    request.headers.get('authorization') === `Bearer ${TOKEN}`;
  servers.open = await serve(options);
  servers.guarded = await serve({
    ...options,
    htsget: { authorize: (request) => (isKnown(request) ? 'all' : 'unauthenticated') },
    refget: { authorize: (request) => (isKnown(request) ? 'all' : 'unauthenticated') },
  });
  await Promise.all([servers.open.sequences.settled(), servers.guarded.sequences.settled()]);
});
afterAll(async () => {
  await Promise.all([servers.open?.close(), servers.guarded?.close()]);
  rmSync(scratch, { recursive: true });
});

const baseOf = (name: keyof typeof servers): string => `${servers[name]?.url}/`;

/** Runs a text in a folder of its own that holds a token, and returns what it printed, or the records of the file it wrote. */
async function recordsOf(
  program: readonly string[],
  text: string,
  { datatype }: Pick<CommandInput, 'datatype'>,
): Promise<string[]> {
  const cwd = mkdtempSync(join(scratch, 'run-'));
  writeFileSync(join(cwd, 'token.txt'), `${TOKEN}\n`);
  const [command = '', ...options] = program;
  const environment = { ...process.env, PATH: [bin, process.env['PATH']].join(delimiter), REF_PATH: '/nowhere/%s' };
  const { stdout } = await promisify(execFile)(command, [...options, text], {
    cwd,
    env: environment,
    maxBuffer: 2 ** 26,
  });
  const [written] = readdirSync(cwd).filter((name) => name !== 'token.txt');
  if (written === undefined) return lines(stdout).filter((line) => !/^[@#]/.test(line));
  const view = datatype === 'reads' ? ['samtools', 'view'] : ['bcftools', 'view', '-H'];
  const [shown = ''] = await runTools([[...view, join(cwd, written)]]);
  return lines(shown);
}

/** Returns the records of a fixture that overlap the region. */
async function expectedOf({ file, datatype }: TestObject): Promise<string[]> {
  const region = `${REGION.referenceName}:${REGION.start + 1}-${REGION.end}`;
  const view = datatype === 'reads' ? ['samtools', 'view'] : ['bcftools', 'view', '-H'];
  const [shown = ''] = await runTools([[...view, fixturePath(file), region]]);
  return lines(shown);
}

const CLIENTS = [
  { client: 'samtools or bcftools', program: ['sh', '-c'], isSkipped: !areInstalled('samtools', 'bcftools') },
  { client: 'htskit', program: ['sh', '-c'], isSkipped: !areInstalled('samtools', 'bcftools') },
  { client: 'curl', program: ['sh', '-c'], isSkipped: !areInstalled('samtools', 'bcftools', 'curl', 'jq') },
  { client: 'Python', program: [python ?? '', '-c'], isSkipped: python === undefined },
] as const;

describe.each(CLIENTS)('the code of the page for $client', ({ client, program, isSkipped }) => {
  test
    .skipIf(isSkipped)
    .each(OBJECTS.flatMap((object) => (['open', 'guarded'] as const).map((access) => ({ ...object, access }))))(
    'reads a region of $file as $format, with $access access',
    async ({ access, ...object }) => {
      const needsToken = access === 'guarded';
      const input: CommandInput = { base: baseOf(access), region: REGION, needsToken, ...object };
      const found = commandsFor(input).find((each) => client.split(' or ').includes(each.client));
      const records = await recordsOf(program, found?.text ?? '', object);
      const expected = await expectedOf(object);
      expect(expected.length).toBeGreaterThan(90);
      // A region of CRAM holds whole containers, which have further records.
      const shown = object.format === 'CRAM' ? records.filter((record) => expected.includes(record)) : records;
      expect(shown).toEqual(expected);
    },
  );
});

test.skipIf(!areInstalled('samtools', 'curl')).each(['open', 'guarded'] as const)(
  'the command for a sequence prints its bases, with %s access',
  async (access) => {
    const [{ name, md5 } = { name: '', md5: '' }] = expectations('genome.fa').sequences;
    const input = { base: baseOf(access), needsToken: access === 'guarded' };
    const [bases = ''] = await recordsOf(['sh', '-c'], sequenceCommand(input, { id: md5, start: 1000, end: 1060 }), {
      datatype: 'reads',
    });
    const [shown = ''] = await runTools([['samtools', 'faidx', fixturePath('genome.fa'), `${name}:1001-1060`]]);
    expect(bases).toBe(lines(shown)[1]?.toUpperCase());
  },
);

test('the configuration for JBrowse names an adapter that reads the object', async () => {
  const input: CommandInput = { base: baseOf('open'), datatype: 'reads', id: ODD, region: REGION, needsToken: false };
  const text = commandsFor(input).find(({ client }) => client === 'JBrowse')?.text ?? '';
  const { adapter } = JSON.parse(text) as { adapter: Record<'type' | 'htsgetBase' | 'htsgetTrackId', string> };
  expect(adapter.type).toBe('HtsgetBamAdapter');
  // As the adapter of JBrowse does.
  const file = new HtsgetFile({ baseUrl: adapter.htsgetBase, trackId: adapter.htsgetTrackId });
  await file.getHeader();
  expect(await file.getRecordsForRange('chr1', REGION.start, REGION.end)).toHaveLength(142);
  expect(ticketUrl(input)).toContain(`/${adapter.htsgetTrackId}?`);
});
