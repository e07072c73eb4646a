// Measures `htskit decrypt` against the program of PyPI, from the start of the process to its end.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { race, throughputRows } from '../harness.mjs';
import { findCommand, runCommand } from '../installed-command.mjs';
import { writeFiles } from './encrypted-file.mjs';

const BYTES = 200_000_000;
const CLI = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url));

/** Returns no row if crypt4gh of PyPI is not installed. */
export async function measureDecryption(folder) {
  const pypi = findCommand('crypt4gh', 'pip install crypt4gh');
  if (pypi === undefined) return [];
  const { encrypted, secretKey } = await writeFiles(folder, randomBytes(BYTES));
  const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
  const decrypt = `exec crypt4gh decrypt --sk "$1" < "$2" > "$3"`;
  const contenders = [
    toContender('ours', ours, [process.execPath, CLI, 'decrypt', encrypted, '--identity', secretKey, '-o', ours]),
    toContender(`${pypi.name} decrypt`, theirs, ['sh', '-c', decrypt, 'sh', secretKey, encrypted, theirs]),
  ];
  const work = { name: 'decrypt a file, whole process', unit: 'MB/s', amount: BYTES / 1e6, budgets: [{ budget: 5 }] };
  return throughputRows(work, await race(contenders, { rounds: 5 }));
}

function toContender(name, output, [command, ...args]) {
  const run = () => runCommand(command, args);
  return {
    name,
    run,
    result: async () => {
      await run();
      return [readFileSync(output)];
    },
  };
}
