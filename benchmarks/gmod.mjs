// The @gmod packages: those of npm, or newer ones that are built from their repositories (see README.md). The variable GMOD is the
// folder that has these in its node_modules.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const { GMOD } = process.env;
const ROOT = GMOD === undefined ? fileURLToPath(new URL('.', import.meta.url)) : resolve(GMOD);

const INSTALLED = {
  '@gmod/bam': () => import('@gmod/bam'),
  '@gmod/bgzf-filehandle': () => import('@gmod/bgzf-filehandle'),
  '@gmod/cram': () => import('@gmod/cram'),
  '@gmod/tabix': () => import('@gmod/tabix'),
  '@gmod/vcf': () => import('@gmod/vcf'),
};

/** Imports a package. */
export function importGmod(name) {
  if (GMOD === undefined) return INSTALLED[name]();
  const folder = gmodFolder(name);
  return import(pathToFileURL(join(folder, manifestOf(name).exports.import)).href);
}

/** Returns the folder of a package. */
export function gmodFolder(name) {
  return join(ROOT, 'node_modules', name);
}

/** Returns the name of a package with its version, such as "@gmod/bam 8.11.1". */
export function gmodPeer(name) {
  return `${name} ${manifestOf(name).version}`;
}

/** Returns the number before the first point of the version of a package. */
export function gmodMajor(name) {
  return Number.parseInt(manifestOf(name).version, 10);
}

function manifestOf(name) {
  return JSON.parse(readFileSync(join(gmodFolder(name), 'package.json'), 'utf8'));
}
