import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderStore } from '@htskit/storage/folder';
import { memoryStore } from '@htskit/storage/memory';
import { volume } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyStore } from '../../src/store/verify-store.js';
import { readBases } from '../fasta/read-bases.js';
import { keysOf } from './counting-store.js';
import { randomBases, randomGenome } from './random-bases.js';
import { findIn, store, toFasta } from './stored-fasta.js';

/**
 * Steps after which the import is killed: within the first long sequence, within the second one, and then after more steps
 * than run at the same time, so that some of them complete. CI kills more often.
 */
const KILLS = [5, 30, ...Array.from({ length: volume(8) }, () => 151)];

const LONG = randomBases(4_400_000, { seed: 1, alphabet: 'ACGT' });
const RECORDS: Readonly<Record<string, string>> = {
  long: LONG,
  longer: `${LONG}NNNN${LONG}`,
  ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`r${index}`, randomGenome(index * 3, index)])),
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-killed-'));
  writeFileSync(join(folder, 'genome.fa'), toFasta(RECORDS));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Imports until the process is killed or done. Returns its exit code or the signal that ended it. */
async function importUntil(steps?: number): Promise<number | NodeJS.Signals | null> {
  const script = fileURLToPath(new URL('killed-import.mjs', import.meta.url));
  const numbers = steps === undefined ? [] : [String(steps)];
  const child = spawn(process.execPath, [script, join(folder, 'genome.fa'), join(folder, 'store'), ...numbers]);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? signal;
}

describe('an import that is killed', () => {
  test('leaves no partial object and is completed by repeating it', async () => {
    const objects = folderStore(join(folder, 'store'));
    const sequenceCounts: number[] = [];
    let orphanCount = 0;
    for (const steps of KILLS) {
      expect(await importUntil(steps)).toBe('SIGKILL');
      const findings: unknown[] = [];
      const { abandoned } = await verifyStore(objects, { onFinding: (finding) => findings.push(finding) });
      expect(findings).toEqual([]);
      const orphans = readdirSync(join(folder, 'store', '.partial')).map((name) => `.partial/${name}`);
      expect([...abandoned].sort()).toEqual(orphans.sort());
      orphanCount += orphans.length;
      sequenceCounts.push((await keysOf(objects, 'sequences/')).length);
    }
    // Each import was killed at a different point and continued the one before.
    expect(sequenceCounts).toEqual(sequenceCounts.toSorted((one, other) => one - other));
    expect(new Set(sequenceCounts).size).toBeGreaterThan(KILLS.length / 2);
    expect(orphanCount).toBeGreaterThan(0);
    expect(sequenceCounts.slice(0, 2)).toEqual([0, 1]);
    expect(await importUntil()).toBe(0);
    const summary = await verifyStore(objects, { onFinding: () => undefined });
    expect(readdirSync(join(folder, 'store', '.partial'))).toEqual([]);
    expect(summary).toMatchObject({
      abandoned: [],
      collections: 1,
      sequences: 302,
      aliases: 302,
      incomplete: 0,
      findings: 0,
    });
    const whole = await store(RECORDS, { store: memoryStore(), namingAuthority: 'test', circular: new Set(['r1']) });
    expect(await keysOf(objects)).toEqual(await keysOf(whole));
    expect((await readBases(await findIn(objects, LONG))) === LONG).toBe(true);
  });
});
