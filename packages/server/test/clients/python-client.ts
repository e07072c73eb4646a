import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPythonPackages } from '@htskit/testing';

const REQUIREMENTS = 'python-requirements.txt';
const REFGET_REQUIREMENTS = 'refget-requirements.txt';

const pathOf = (requirements: string): string => fileURLToPath(new URL(requirements, import.meta.url));

/** Returns the version of a Python package that a file of requirements beside this one names. */
export function pythonVersion(name: string, requirements: string): string {
  return new RegExp(`^${name}==(\\S+)$`, 'm').exec(readFileSync(pathOf(requirements), 'utf8'))?.[1] ?? '';
}

/** Returns the version of Python's htsget that the tests require. */
export function htsgetVersion(): string {
  return pythonVersion('htsget', REQUIREMENTS);
}

/** Returns the version of Python's refget that the tests require. */
export function refgetVersion(): string {
  return pythonVersion('refget', REFGET_REQUIREMENTS);
}

/** Installs Python's refget in a folder. Returns the folder of its commands, or undefined if no package registry is reachable. */
export function installRefget(folder: string): Promise<string | undefined> {
  return installPythonPackages(folder, pathOf(REFGET_REQUIREMENTS));
}

/** Installs Python's htsget in a folder. Returns the path of its command, or undefined if no package registry is reachable. */
export async function installHtsget(folder: string): Promise<string | undefined> {
  const bin = await installPythonPackages(folder, pathOf(REQUIREMENTS));
  return bin === undefined ? undefined : join(bin, 'htsget');
}
