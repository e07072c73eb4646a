// Programs that read over htsget, if they are installed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCommand, runCommand } from '../installed-command.mjs';

/** Returns samtools, which decodes all records, or nothing if it is not installed. */
export function findSamtools() {
  const found = findCommand('samtools');
  return (
    found && {
      name: `${found.name} view -c, decodes, whole process`,
      run: (url) => runCommand('samtools', ['view', '-c', url]),
      countRecords: (url) => Number(spawnSync('samtools', ['view', '-c', url], { encoding: 'utf8' }).stdout),
    }
  );
}

/** Returns the Python client, which writes a file, or nothing if it is not installed. */
export function findPythonClient(folder) {
  const found = findCommand('htsget', 'pip install htsget');
  const path = join(folder, 'of-python');
  const run = (url) => runCommand('htsget', [url, '--output', path]);
  return (
    found && {
      name: `Python ${found.name}, whole process`,
      run,
      read: async (url) => {
        await run(url);
        return readFileSync(path);
      },
    }
  );
}
