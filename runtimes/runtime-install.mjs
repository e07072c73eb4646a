// Fetches runtimes from the npm registry into a cache of this workspace. They are not dependencies, because they take a
// gigabyte.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './command.mjs';

const cache = fileURLToPath(new URL('../node_modules/.cache/runtimes/', import.meta.url));

/** A runtime that is not available on this machine. */
export class Unavailable extends Error {}

/** Installations in progress, because several runtimes may come from one package. */
const installations = new Map();

/** Returns the path of the runtime's binary, which is fetched if necessary. Throws Unavailable. */
export async function installRuntime({ package: spec, bin }) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Unavailable(`${spec} is for Linux on x64; this is ${process.platform} on ${process.arch}`);
  }
  const folder = join(cache, spec.replaceAll('/', '+'));
  const binary = join(folder, 'node_modules', spec.slice(0, spec.lastIndexOf('@')), bin);
  if (!installations.has(spec))
    installations.set(spec, existsSync(binary) ? undefined : installPackages([spec], folder));
  await installations.get(spec);
  return binary;
}

/**
 * Installs packages, `name@version`, in a folder that exists once all are installed. `overrides` are those of npm. Throws
 * Unavailable.
 */
export async function installPackages(specs, folder, overrides = {}) {
  mkdirSync(dirname(folder), { recursive: true });
  const partial = mkdtempSync(join(dirname(folder), '.partial-'));
  try {
    // Without this, npm would install into the surrounding workspace.
    writeFileSync(join(partial, 'package.json'), JSON.stringify({ private: true, overrides }));
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline'];
    await runCommand('npm', ['install', ...flags, ...specs], { cwd: partial, timeoutSeconds: 600 });
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } catch (error) {
    throw new Unavailable(`${specs.join(', ')} cannot be installed: ${error.message}`, { cause: error });
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
