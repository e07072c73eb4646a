import { join } from 'node:path';
import { openSequenceStore } from '@htskit/sequences';
import { folderStore } from '@htskit/storage/folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../run-command.js';
import { expectedReports, linesOf, md5Of, serveTwice, writeFasta } from './check-hostile-fasta.js';
import { HOSTILE_FASTA } from './hostile-fasta.js';

describe.each(HOSTILE_FASTA)('a FASTA with $what', (fasta) => {
  const { records } = fasta;
  const code = records.length === 0 ? 1 : 0;

  test('has the expected answer of htskit refget import', async () => {
    const { folder, path, flags } = writeFasta(fasta);
    const target = join(folder, 'store');
    const result = await runCommand(['refget', 'import', ...flags, path, '--store', target]);
    const lines = linesOf(result.stderr).filter((line) => !/ sequences with | collection /.test(line));
    expect(lines).toEqual(expectedReports(fasta));
    expect(result.code).toBe(code);
    const store = await openSequenceStore(folderStore(target));
    onTestFinished(() => store.close());
    for (const [, bases] of records) {
      const [sequence] = await store.find({ kind: 'md5', digest: md5Of(bases) });
      expect(new TextDecoder().decode(await sequence?.read({ start: 0, end: bases.length }))).toBe(bases);
    }
    expect((await runCommand(['refget', 'verify', target])).code).toBe(0);
  });

  test('has the expected answer of htskit serve with a cache folder', async () => {
    const reports = expectedReports(fasta);
    expect(await serveTwice(fasta, true)).toEqual([reports, reports]);
  });
});
