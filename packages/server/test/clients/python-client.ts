import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const REQUIREMENTS = fileURLToPath(new URL('python-requirements.txt', import.meta.url));
/** The message of pip if no registry answers. A registry that has only other versions is an error. */
const UNREACHABLE = /\(from versions: none\)/;

/** The required version of Python's htsget. */
export function htsgetVersion(): string {
  return /^htsget==(\S+)$/m.exec(readFileSync(REQUIREMENTS, 'utf8'))?.[1] ?? '';
}

/** Installs Python's htsget in a folder. Returns the path of its command, or undefined if no package registry is reachable. */
export async function installHtsget(folder: string): Promise<string | undefined> {
  await run('python3', ['-m', 'venv', folder]);
  const bin = join(folder, 'bin');
  const install = [
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-input',
    '--retries',
    '1',
    '--timeout',
    '10',
  ];
  try {
    await run(join(bin, 'pip'), [...install, '--requirement', REQUIREMENTS]);
  } catch (error) {
    if (error instanceof Error && UNREACHABLE.test(error.message)) return undefined;
    throw error;
  }
  return join(bin, 'htsget');
}
