import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPythonPackages } from '@htskit/testing';

const REQUIREMENTS = fileURLToPath(new URL('python-requirements.txt', import.meta.url));
const REFGET_REQUIREMENTS = fileURLToPath(new URL('refget-requirements.txt', import.meta.url));

/** Returns the version of Python's htsget that the tests require. */
export function htsgetVersion(): string {
  return /^htsget==(\S+)$/m.exec(readFileSync(REQUIREMENTS, 'utf8'))?.[1] ?? '';
}

/** Returns the version of Python's refget that the tests require. */
export function refgetVersion(): string {
  return /^refget==(\S+)$/m.exec(readFileSync(REFGET_REQUIREMENTS, 'utf8'))?.[1] ?? '';
}

/** Installs Python's refget in a folder. Returns the folder of its commands, or undefined if no package registry is reachable. */
export function installRefget(folder: string): Promise<string | undefined> {
  return installPythonPackages(folder, REFGET_REQUIREMENTS);
}

/** Installs Python's htsget in a folder. Returns the path of its command, or undefined if no package registry is reachable. */
export async function installHtsget(folder: string): Promise<string | undefined> {
  const bin = await installPythonPackages(folder, REQUIREMENTS);
  return bin === undefined ? undefined : join(bin, 'htsget');
}
