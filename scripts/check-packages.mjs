/**
 * Checks the packages as npm would publish them: the tarballs that pnpm packs, with publint and are-the-types-wrong, and that
 * their dependencies are ranges. One process checks all of them, because starting those tools for each package takes longer than
 * their work.
 *
 * Usage: node scripts/check-packages.mjs
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** The packages are ES modules only: `require` of them is not checked. */
const IGNORED_RESOLUTIONS = new Set(['node10', 'node16-cjs']);

async function findProblems(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  const types = analysis.types
    ? analysis.problems.filter(({ resolutionKind }) => !IGNORED_RESOLUTIONS.has(resolutionKind))
    : [{ kind: 'NoTypes' }];
  const exact = Object.entries(pkg.dependencies ?? {}).filter(([, version]) => /^\d/.test(version));
  return [
    ...exact.map(([name, version]) => `${name} ${version} is an exact version; write ^${version}`),
    ...messages.map((message) => formatMessage(message, pkg, { color: false })),
    ...types.map(({ kind, ...details }) => `${kind} ${JSON.stringify(details)}`),
  ];
}

const folder = mkdtempSync(join(tmpdir(), 'htskit-packages-'));
try {
  const pack = ['--recursive', '--filter', './packages/*', 'pack', '--pack-destination', folder];
  execFileSync('pnpm', pack, { stdio: ['ignore', 'ignore', 'inherit'] });
  const names = readdirSync(folder).filter((name) => !name.startsWith('htskit-testing-'));
  for (const name of names) {
    for (const problem of await findProblems(readFileSync(join(folder, name)))) {
      console.error(`${name}: ${problem}`);
      process.exitCode = 1;
    }
  }
  console.log(`checked ${names.length} packages`);
} finally {
  rmSync(folder, { recursive: true });
}
