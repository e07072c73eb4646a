// Measures importing a FASTA into a native store, against what prepares a FASTA for samtools; and bytes on disk.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { importFasta } from '@htskit/sequences';
import { fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';
import { race, throughputRows } from '../harness.mjs';
import { findCommand, runCommand } from '../installed-command.mjs';
import { smallerRows } from '../turns.mjs';
import { diskBytes, LENGTH } from './genome.mjs';

const ON_DISK = { bgzf: 'bgzipped + FAI + GZI', twoBit: '2bit', store: 'native store' };

/** Returns a row if samtools and md5sum are installed. Each round imports into a new store. */
export async function measureImporting(folder, { paths, md5 }) {
  const [samtools, md5sum] = ['samtools', 'md5sum'].map((command) => findCommand(command));
  if (samtools === undefined || md5sum === undefined) return [];
  const digests = [];
  const importOnce = async () => {
    const store = join(folder, 'imported');
    const data = fileSource(paths.fasta);
    await importFasta({ store: folderStore(store), data, onRecord: (record) => digests.push(record.md5) });
    await data.close();
    rmSync(store, { recursive: true });
  };
  const prepare = async () => {
    await runCommand('samtools', ['faidx', paths.fasta]);
    await runCommand('md5sum', [paths.fasta]);
  };
  const raced = await race(
    [
      { name: 'ours', run: importOnce, result: null },
      { name: `${samtools.name} faidx, ${md5sum.name}, whole processes`, run: prepare, result: null },
    ],
    { rounds: 3 },
  );
  const work = { name: 'import into a native store', unit: 'MB/s', amount: statSync(paths.fasta).size / 1e6 };
  const equal = digests.every((digest) => digest === md5);
  return throughputRows({ ...work, budgets: [{ budget: null }] }, { ...raced, equal });
}

/** Returns a row for each kind but FASTA, with which the others are compared. */
export async function measureDisk({ paths }) {
  const { fasta, ...others } = await diskBytes(paths);
  return Object.entries(others).flatMap(([kind, bytes]) =>
    smallerRows({ name: `on disk: ${ON_DISK[kind]}`, unit: 'bytes/base', budgets: {}, equal: true }, [
      ['ours', bytes / LENGTH],
      ['FASTA + FAI', fasta / LENGTH],
    ]),
  );
}
