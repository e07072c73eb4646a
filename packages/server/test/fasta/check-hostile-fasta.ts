import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sequenceCatalogue } from '@htskit/catalogue/folder';
import { expect, onTestFinished } from 'vitest';
import type { HostileFasta } from './hostile-fasta.js';

interface HostileFile {
  readonly folder: string;
  readonly path: string;
  readonly flags: readonly string[];
}

export function writeFasta({ bytes, characters }: HostileFasta): HostileFile {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a.fa');
  writeFileSync(path, bytes);
  return { folder, path, flags: characters === undefined ? [] : ['--characters', characters] };
}

/** Returns matchers of the messages. */
export function expectedReports({ reports }: HostileFasta): unknown[] {
  return reports.map((report) => expect.stringMatching(report) as unknown);
}

export function md5Of(bases: string): string {
  return createHash('md5').update(bases).digest('hex');
}

export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Returns the messages of two starts, without the advice. Throws unless each start serves the records of the FASTA. */
export async function serveTwice(fasta: HostileFasta, hasCache: boolean): Promise<string[][]> {
  const reported: string[][] = [];
  const { records, characters, unplaced = [] } = fasta;
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
    reported.push(messages.filter((message) => !message.includes('htskit refget import')));
    expect(messages.filter((message) => message.includes('htskit refget import'))).toHaveLength(isRefused ? 1 : 0);
    await served.close();
  }
  return reported;
}
