// Builds a folder as `npm install` of the published packages would, with the suite in it.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPacked } from '../scripts/tarballs.mjs';
import { toFixturesModule } from './fixtures-module.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = fileURLToPath(new URL('../packages/', import.meta.url));

/** Packages that run in Node only, or in JBrowse only, or are not published. */
const NOT_PORTABLE = ['server', 'testing', 'jbrowse-plugin'];
/** Frameworks that run in every runtime. Those for Node are checked by its tests. */
const PORTABLE_PEERS = ['hono'];

/** Packs the portable packages and unpacks them. Returns the path of the folder, which is removed on exit. */
export function createTree() {
  const tree = mkdtempSync(join(tmpdir(), 'htskit-runtimes-'));
  process.once('exit', () => rmSync(tree, { recursive: true, force: true, maxRetries: 5 }));
  const names = readdirSync(packages).filter(
    (name) => !NOT_PORTABLE.includes(name) && existsSync(join(packages, name, 'package.json')),
  );
  installPacked(names, tree);
  for (const name of names) copyDependencies(tree, name);

  const suite = join(tree, 'suite');
  cpSync(join(here, 'suite'), suite, { recursive: true });
  writeFileSync(join(suite, 'fixtures.mjs'), toFixturesModule());
  writeFileSync(join(tree, 'package.json'), '{ "private": true, "type": "module" }');
  return tree;
}

/** Copies third-party packages from the workspace. */
function copyDependencies(tree, name) {
  const manifest = JSON.parse(readFileSync(join(tree, 'node_modules', '@htskit', name, 'package.json'), 'utf8'));
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter((peer) => PORTABLE_PEERS.includes(peer));
  for (const dependency of [...Object.keys(manifest.dependencies ?? {}), ...peers]) {
    const target = join(tree, 'node_modules', dependency);
    if (existsSync(target)) continue;
    if (dependency.startsWith('@htskit/')) throw new Error(`${dependency}, of @htskit/${name}, is not portable`);
    copyPackage(realpathSync(join(packages, name, 'node_modules', dependency)), { tree, dependency });
  }
}

/** Copies a package of the workspace's store, and its dependencies, which are its neighbours there. */
function copyPackage(source, { tree, dependency }) {
  const target = join(tree, 'node_modules', dependency);
  if (existsSync(target)) return;
  mkdirSync(target, { recursive: true });
  cpSync(source, target, { recursive: true });
  const neighbours = source.slice(0, -dependency.length);
  const { dependencies = {} } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    copyPackage(realpathSync(join(neighbours, name)), { tree, dependency: name });
  }
}
