import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPythonPackages } from '@htskit/testing';

const REQUIREMENTS = fileURLToPath(new URL('python-requirements.txt', import.meta.url));

/** Returns the version of Python's htsget that the tests require. */
export function htsgetVersion(): string {
  return /^htsget==(\S+)$/m.exec(readFileSync(REQUIREMENTS, 'utf8'))?.[1] ?? '';
}

/** Installs Python's htsget in a folder. Returns the path of its command, or undefined if no package registry is reachable. */
export async function installHtsget(folder: string): Promise<string | undefined> {
  const bin = await installPythonPackages(folder, REQUIREMENTS);
  return bin === undefined ? undefined : join(bin, 'htsget');
}
