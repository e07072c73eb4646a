// READMEs say how to install before the first release, in one line after their first paragraph. This writes the line, and
// removes it once the packages have a version; `--check` fails if there is something to do.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const NOTICE =
  '> Not on npm yet: run `npm run tarballs` in a clone of htskit. Wherever `npm install` would download htskit, install all of its packages instead: `npm install /path/to/htskit/tarballs/*.tgz`, with `--global` for the command.';
const PLACE = /^(# .+\n\n[\s\S]+?\n\n)(> Not on npm yet.*\n\n)?/;

const { version } = JSON.parse(readFileSync(`${root}packages/io/package.json`, 'utf8'));
const isReleased = version !== '0.0.0';
const isCheck = process.argv.includes('--check');
const outdated = [];
for (const file of readmes()) {
  const text = readFileSync(root + file, 'utf8');
  const updated = text.replace(PLACE, (_, opening) => (isReleased ? opening : `${opening}${NOTICE}\n\n`));
  if (updated === text) continue;
  outdated.push(file);
  if (!isCheck) writeFileSync(root + file, updated);
}
if (isCheck && outdated.length > 0) {
  console.error(`run node scripts/release-notice.mjs; outdated: ${outdated.join(', ')}`);
  process.exitCode = 1;
}

/** The READMEs that say `npm install @htskit/…`. */
function readmes() {
  const files = [
    'README.md',
    'examples/README.md',
    ...readdirSync(`${root}packages`).map((name) => `packages/${name}/README.md`),
  ];
  return files.filter((file) => existsSync(root + file) && readFileSync(root + file, 'utf8').includes('npm install'));
}
