import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeExamples } from '../src/commands/serve/examples.js';
import { type RunningServer, serve } from '../src/runtime/serve.js';
import {
  type AnswerCase,
  cases,
  decodingWithoutReference,
  folders,
  localQuery,
  referencesOf,
  regionsOf,
  type TestRegion,
  viewCommand,
} from './interop-files.js';
import { lines, runTools } from './interop-tools.js';

/** Random regions of each file and format, besides those at edges. */
const RANDOM_REGIONS = 8;

/** By the folder that is served. */
const servers = new Map<string, RunningServer>();
const logged: string[] = [];
let scratch = '';
let compared = 0;
let planned = 0;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
  const log = (message: string): void => void logged.push(message);
  for (const folder of folders) {
    const options = {
      paths: [folder],
      host: '127.0.0.1',
      port: 0,
      authority: 'ga4gh',
      htsget: { precision: 'exact' },
    } as const;
    servers.set(folder, await serve({ ...options, log }));
  }
});
afterAll(async () => {
  rmSync(scratch, { recursive: true });
  await Promise.all(Array.from(servers.values(), (server) => server.close()));
});

function urlOf({ folder, datatype, id, format }: AnswerCase, query: Readonly<Record<string, string>> = {}): string {
  const params = new URLSearchParams({ format, ...query });
  return `${servers.get(folder)?.url}/${datatype}/${encodeURIComponent(id)}?${params}`;
}

function regionUrl(answerCase: AnswerCase, { referenceName, start, end }: TestRegion): string {
  return urlOf(answerCase, {
    referenceName,
    ...(start !== undefined && { start: String(start) }),
    ...(end !== undefined && { end: String(end) }),
  });
}

/** The options with which samtools and bcftools print a header unchanged. */
function headerOptions({ datatype }: AnswerCase): string[] {
  return datatype === 'reads' ? ['-H', '--no-PG'] : ['-h', '--no-version'];
}

/** bcftools adds contigs that the index alone names, for the local file. */
function writtenHeader(text = ''): string[] {
  return lines(text).filter((line) => !/^##contig=<ID=[^,]+>$/.test(line));
}

test.each(cases)('$name: a URL is read like the local file', async (answerCase) => {
  const references = await referencesOf(answerCase);
  const view = viewCommand(answerCase, decodingWithoutReference(references, join(scratch, `${answerCase.id}.fa`)));
  const header = [...view.filter((option) => option !== '-H'), ...headerOptions(answerCase)];
  const [records = '', localHeader = ''] = await runTools([
    [...view, answerCase.path],
    [...header, answerCase.path],
  ]);
  const [whole, wholeHeader, headerAlone, nothing] = await runTools([
    [...view, urlOf(answerCase)],
    [...header, urlOf(answerCase)],
    [...header, urlOf(answerCase, { class: 'header' })],
    [...view, urlOf(answerCase, { class: 'header' })],
  ]);
  planned += 4;
  expect(whole === records, 'all records').toBe(true);
  expect([wholeHeader, headerAlone].map(writtenHeader)).toEqual([localHeader, localHeader].map(writtenHeader));
  expect(nothing).toBe('');
  compared += 4;

  const all = lines(records);
  const regions = regionsOf(answerCase, { references, records: all, count: all.length > 0 ? RANDOM_REGIONS : 0 });
  const asked = regions.filter(({ start = 0, end }) => end === undefined || start < end);
  const local = asked.map((region, rank) => [...view, ...localQuery(answerCase, region, join(scratch, `${rank}.bed`))]);
  const remote = asked.map((region) => [...view, regionUrl(answerCase, region)]);
  const [expected, received] = [await runTools(local), await runTools(remote)];
  planned += asked.length;
  for (const [rank, region] of asked.entries()) {
    const [wanted, got] = [lines(expected[rank] ?? ''), lines(received[rank] ?? '')];
    // Of CRAM, whole containers come.
    const kept = new Set(wanted);
    expect(answerCase.format === 'CRAM' ? got.filter((line) => kept.has(line)) : got, JSON.stringify(region)).toEqual(
      wanted,
    );
    compared++;
  }
});

test('the commands that --examples prints run as they are typed', async () => {
  const [folder = ''] = folders;
  const server = servers.get(folder);
  if (server === undefined) throw new Error('nothing is served');
  const printed: string[] = [];
  await writeExamples(server, { baseUrl: server.url, write: (line) => printed.push(line) });
  const commands = lines(printed.join('\n')).filter((line) => /^ {2}(samtools|bcftools|curl) /.test(line));
  const outputs = await runTools(commands.map((command) => ['sh', '-c', command]));
  expect(commands.map((command) => command.trim().split(' ')[0])).toEqual(['samtools', 'bcftools', 'curl']);
  for (const [rank, command] of commands.entries()) {
    const records = lines(outputs[rank] ?? '').filter((line) => !line.startsWith('#'));
    expect(records.length, command).toBeGreaterThan(0);
  }
});

test('hundreds of URLs were read, as many as were planned', () => {
  expect(compared).toBe(planned);
  expect(compared).toBeGreaterThan(500);
  // One file lacks its EOF marker.
  expect(logged.filter((line) => !line.includes('lacks its EOF marker'))).toEqual([]);
});

test.skipIf(folders.length === 1)('files that others wrote were among them (HTSKIT_EXTERNAL_DATA)', () => {
  expect(cases.filter(({ isExternal }) => isExternal).length).toBeGreaterThan(10);
});
