import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The message of pip if no registry answers. A registry without the required versions is an error. */
const UNREACHABLE = /\(from versions: none\)/;
const INSTALL = 'install --quiet --disable-pip-version-check --no-input --retries 1 --timeout 10'.split(' ');

/**
 * Installs Python packages into a virtual environment in `folder`. Returns the folder of its commands, or undefined if no
 * package registry is reachable.
 */
export async function installPythonPackages(folder: string, requirements: string): Promise<string | undefined> {
  await run('python3', ['-m', 'venv', folder]);
  const bin = join(folder, 'bin');
  try {
    await run(join(bin, 'pip'), [...INSTALL, '--requirement', requirements]);
  } catch (error) {
    if (error instanceof Error && UNREACHABLE.test(error.message)) return undefined;
    throw error;
  }
  return bin;
}
