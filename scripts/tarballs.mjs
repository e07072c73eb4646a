// Packs packages as they are published. Run as a program, it writes the tarballs of all of them to `tarballs/`.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const shell = process.platform === 'win32';

/** Packs built packages, named by their folders, into an empty folder. Returns the paths of the tarballs. */
function packPackages(names, folder) {
  const filters = names.flatMap((name) => ['--filter', `@htskit/${name}`]);
  const args = ['-r', ...filters, 'pack', '--pack-destination', folder];
  execFileSync('pnpm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell });
  return readdirSync(folder).map((file) => join(folder, file));
}

/** Packs built packages, named by their folders, and unpacks them in `node_modules` of a folder, as `npm install` would. */
export function installPacked(names, tree) {
  const packed = join(tree, 'packed');
  mkdirSync(packed);
  for (const archive of packPackages(names, packed)) {
    const folder = mkdtempSync(join(packed, 'unpacked-'));
    execFileSync('tar', ['-xzf', archive, '-C', folder]);
    const { name } = JSON.parse(readFileSync(join(folder, 'package', 'package.json'), 'utf8'));
    cpSync(join(folder, 'package'), join(tree, 'node_modules', name), { recursive: true });
  }
}

/** The packages that are published. */
export function publishedNames() {
  return readdirSync(join(root, 'packages')).filter((name) => {
    return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).private !== true;
  });
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(root, 'tarballs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const tarballs = packPackages(publishedNames(), folder);
  console.log(`wrote ${tarballs.length} tarballs to tarballs/`);
}
