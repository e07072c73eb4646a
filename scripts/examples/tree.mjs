// Builds a folder in which the examples find what `npm install` would give them: the packages as they are published, and
// the dependencies of both.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../../runtimes/runtime-install.mjs';
import { installPacked, publishedNames } from '../tarballs.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, '.cache/examples');
/** @gmod/bam asks for ^2.2.0, which not every registry has. */
const OVERRIDES = { 'generic-filehandle2': '2.1.10' };
/** The files in which a port of the READMEs is replaced. */
const TEXT = /\.(?:md|js|ts|json|jsonc|html)$/;

/** Templates of deployments that are run as examples are. */
const TEMPLATES = ['workers'];

export const EXAMPLES = [...readdirSync(join(root, 'examples')), ...TEMPLATES].filter((name) =>
  existsSync(manifestOf(name)),
);

function folderOf(name) {
  return join(root, TEMPLATES.includes(name) ? 'deploy' : 'examples', name);
}

function manifestOf(name) {
  return join(folderOf(name), 'package.json');
}

/**
 * Installs the dependencies of the examples, once per set of versions, and unpacks the packages beside a copy of the
 * examples. Returns the folder of the copy, which is removed on exit.
 */
export async function createExamples() {
  const names = publishedNames();
  const manifests = [
    ...EXAMPLES.map(manifestOf),
    ...names.map((name) => join(root, 'packages', name, 'package.json')),
  ].map((path) => JSON.parse(readFileSync(path, 'utf8')));
  const specs = findSpecs(manifests);
  const digest = createHash('sha256').update(specs.join()).digest('hex').slice(0, 16);
  const installed = join(cache, digest);
  if (!existsSync(installed)) await installPackages(specs, installed, OVERRIDES);

  // Node looks for what is missing here in the folder above.
  const tree = mkdtempSync(join(installed, 'run-'));
  process.once('exit', () => rmSync(tree, { recursive: true, force: true, maxRetries: 5 }));
  installPacked(names, tree);
  chmodSync(commandOf(tree), 0o755);
  mkdirSync(join(tree, 'examples'));
  cpSync(join(root, 'examples/tsconfig.json'), join(tree, 'examples/tsconfig.json'));
  cpSync(join(root, 'fixtures'), join(tree, 'fixtures'), { recursive: true });
  return tree;
}

/** The `htskit` command of the tree. */
export function commandOf(tree) {
  return join(tree, 'node_modules/@htskit/server/dist/cli.js');
}

/** Returns `name@version` of each dependency. Versions of the catalog are those of pnpm-workspace.yaml. */
function findSpecs(manifests) {
  const catalog = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const specs = new Map();
  for (const { private: isPrivate, dependencies = {}, devDependencies = {} } of manifests) {
    // Those who install a package do not install what it is developed with.
    for (const [name, version] of Object.entries({ ...dependencies, ...(isPrivate && devDependencies) })) {
      if (name.startsWith('@htskit/')) continue;
      const [, listed] = new RegExp(`^  "?${name}"?: (\\S+)$`, 'm').exec(catalog) ?? [];
      specs.set(name, version === 'catalog:' ? listed : version);
    }
  }
  return Array.from(specs, ([name, version]) => `${name}@${version}`).sort();
}

/** Copies an example with other ports, `{ 3000: 49152 }`. Returns its folder. */
export function copyExample(tree, name, ports) {
  const folder = join(tree, 'examples', name);
  cpSync(folderOf(name), folder, {
    recursive: true,
    filter: (path) => !/node_modules|\.next|\.wrangler/.test(path.slice(root.length)),
  });
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!TEXT.test(file)) continue;
    let text = readFileSync(join(folder, file), 'utf8');
    for (const [port, other] of Object.entries(ports)) text = text.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), other);
    writeFileSync(join(folder, file), text);
  }
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(commandOf(tree), join(folder, 'node_modules/.bin/htskit'));
  return folder;
}
