import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
}

/** The version of this package. */
export const PACKAGE_VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Manifest
).version;
