// Publishes the packages whose version npm does not have:
//
//   pnpm release
//
// CI runs it after a pull request of changesets was merged. `--dry-run` rehearses it with what is committed, in a clone, so that the
// checkout stays as it is. The clone takes its versions from the changesets and runs the same command, with a registry on loopback in the
// place of npm. What that registry then has is installed, and used as the READMEs say.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runCommand } from '../runtimes/command.mjs';
import { startRegistry } from './release/registry.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
/** Most commands take seconds; building and publishing all packages takes one or two minutes. */
const TIMEOUT_SECONDS = 900;
/** npm makes attestations only in a CI that it can identify. */
const PROVENANCE = '"provenance": true';
const AUTHOR = {
  GIT_AUTHOR_NAME: 'Release',
  GIT_AUTHOR_EMAIL: 'release@localhost',
  GIT_COMMITTER_NAME: 'Release',
  GIT_COMMITTER_EMAIL: 'release@localhost',
};

/** Publishes what npm does not have. Throws if the changesets have not become versions. */
function publish() {
  const pending = readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  if (pending.length > 0) throw new Error(`run pnpm run version-packages first; changesets: ${pending.join(', ')}`);
  for (const args of [
    ['turbo', 'run', 'build'],
    ['changeset', 'publish'],
  ]) {
    execFileSync('pnpm', ['exec', ...args], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  }
}

/** Rehearses the release in a clone. Rejects if a step fails. */
async function rehearse() {
  const scratch = mkdtempSync(join(tmpdir(), 'htskit-release-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const clone = join(scratch, 'htskit');
  await runCommand('git', ['clone', '--quiet', root, clone], { cwd: scratch, timeoutSeconds: TIMEOUT_SECONDS });
  const env = { ...process.env, ...AUTHOR };
  const run = async (...args) => {
    console.log(`pnpm ${args.join(' ')}`);
    await runCommand('pnpm', args, { cwd: clone, env, timeoutSeconds: TIMEOUT_SECONDS });
  };
  await run('install', '--frozen-lockfile', '--prefer-offline', '--filter', '!@htskit/site');
  await run('run', 'version-packages');
  await run('run', 'check:links');
  const registry = await startRegistry(join(scratch, 'registry'));
  try {
    redirectPackages(clone, registry.url);
    await run('run', 'release');
    // What the clone installed is found from there, and a checkout may have installed nothing.
    const { checkPublished } = await import(pathToFileURL(join(clone, 'scripts/release/published.mjs')).href);
    await checkPublished({ registry: registry.url, scratch });
  } finally {
    await registry.close();
  }
}

/** Makes a registry on loopback that to which the packages of a clone are published. Throws if one has no provenance. */
function redirectPackages(clone, url) {
  for (const name of readdirSync(join(clone, 'packages'))) {
    const path = join(clone, 'packages', name, 'package.json');
    const manifest = readFileSync(path, 'utf8');
    if (JSON.parse(manifest).private === true) continue;
    if (!manifest.includes(PROVENANCE)) throw new Error(`packages/${name}/package.json lacks ${PROVENANCE}`);
    writeFileSync(path, manifest.replace(PROVENANCE, `"registry": "${url}"`));
  }
  // Anybody may publish there, but npm wants a token.
  appendFileSync(join(clone, '.npmrc'), `${url.replace('http:', '')}:_authToken=anybody\n`);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
try {
  if (process.argv.includes('--dry-run')) await rehearse();
  else publish();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
