import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sequenceCatalogue } from '@htskit/catalogue/folder';
import { openSequenceStore } from '@htskit/sequences';
import { folderStore } from '@htskit/storage/folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../run-command.js';
import { HOSTILE_FASTA, type HostileFasta } from './hostile-fasta.js';

interface HostileFile {
  readonly folder: string;
  readonly path: string;
  readonly flags: readonly string[];
}

function writeFasta({ bytes, characters }: HostileFasta): HostileFile {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a.fa');
  writeFileSync(path, bytes);
  return { folder, path, flags: characters === undefined ? [] : ['--characters', characters] };
}

/** Throws unless each report occurs in one line and there are no others. */
function checkReports(lines: readonly string[], { reports }: HostileFasta): void {
  expect(lines).toEqual(reports.map((report) => expect.stringMatching(report) as unknown));
}

function md5Of(bases: string): string {
  return createHash('md5').update(bases).digest('hex');
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

describe.each(HOSTILE_FASTA)('a FASTA with $what', (fasta) => {
  const { records, characters, unplaced = [] } = fasta;
  const code = records.length === 0 ? 1 : 0;

  test('has the expected answer of htskit digest', async () => {
    const { path, flags } = writeFasta(fasta);
    const result = await runCommand(['digest', ...flags, path]);
    const found = linesOf(result.stdout).map((line) => line.split('\t').slice(0, 3));
    expect(found).toEqual(records.map(([name, bases]) => [name, String(bases.length), md5Of(bases)]));
    checkReports(linesOf(result.stderr), fasta);
    expect(result.code).toBe(code);
    const json = await runCommand(['digest', '--json', ...flags, path]);
    const parsed = JSON.parse(json.stdout) as { name: string; omitted?: object }[];
    expect(parsed.map(({ name }) => name)).toEqual(records.map(([name]) => name));
    const omitting = fasta.reports.filter((report) => report.source.includes('holds')).length;
    expect(parsed.filter(({ omitted }) => omitted !== undefined)).toHaveLength(records.length === 0 ? 0 : omitting);
  });

  test('has the expected answer of htskit refget import', async () => {
    const { folder, path, flags } = writeFasta(fasta);
    const target = join(folder, 'store');
    const result = await runCommand(['refget', 'import', ...flags, path, '--store', target]);
    const lines = linesOf(result.stderr).filter((line) => !/ sequences with | collection /.test(line));
    checkReports(lines, fasta);
    expect(result.code).toBe(code);
    const store = await openSequenceStore(folderStore(target));
    onTestFinished(() => store.close());
    for (const [, bases] of records) {
      const [sequence] = await store.find({ kind: 'md5', digest: md5Of(bases) });
      expect(new TextDecoder().decode(await sequence?.read({ start: 0, end: bases.length }))).toBe(bases);
    }
    expect((await runCommand(['refget', 'verify', target])).code).toBe(0);
  });

  test.each([false, true])('has the expected answer of htskit serve, with a cache folder: %s', async (hasCache) => {
    const { folder, path } = writeFasta(fasta);
    const cache = hasCache ? join(folder, 'cache') : undefined;
    const expected = hasCache ? records : records.filter(([name]) => !unplaced.includes(name));
    // The second start uses what the first one saved.
    for (let start = 0; start < 2; start++) {
      const messages: string[] = [];
      const served = await sequenceCatalogue(path, { characters, cache, log: (message) => messages.push(message) });
      await served.settled();
      for (const [, bases] of expected) {
        const [sequence] = await served.find({ kind: 'md5', digest: md5Of(bases) });
        expect(new TextDecoder().decode(await sequence?.read({ start: 0, end: bases.length }))).toBe(bases);
      }
      for (const [, bases] of records.filter((record) => !expected.includes(record))) {
        expect(await served.find({ kind: 'md5', digest: md5Of(bases) })).toEqual([]);
      }
      const { total } = await served.collections.list({ filters: [], start: 0, limit: 10 });
      expect(total, 'a collection has all records of its file').toBe(
        records.length === expected.length && records.length > 0 ? 1 : 0,
      );
      const isRefused = expected.length < records.length;
      checkReports(
        messages.filter((message) => !message.includes('htskit refget import')),
        fasta,
      );
      expect(messages.filter((message) => message.includes('htskit refget import'))).toHaveLength(isRefused ? 1 : 0);
      await served.close();
    }
  });
});
