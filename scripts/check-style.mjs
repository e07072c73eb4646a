// Checks what the linters cannot: sizes of folders and files, circles of imports, clocks in tests, names exported twice, and the words of docs/words.md.
//
//   node scripts/check-style.mjs [FOLDER OR FILE…]
//
// Run in the root of the repository. Prints a line per finding, FILE:LINE: what was found and what to write instead. Exits with 1 if
// there are any, but words are warnings unless CI=true. With folders or files, only findings in these are printed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { checkCircles } from './style/circles.mjs';
import { checkClocks } from './style/clocks.mjs';
import { checkExports } from './style/exports.mjs';
import { checkRooms } from './style/rooms.mjs';
import { checkWords } from './style/words.mjs';

const PROSE = [
  /^packages\/[^/]+\/src\/.*\.ts$/,
  /^packages\/[^/]+\/test\/.*\.ts$/,
  /^packages\/[^/]+\/README\.md$/,
  /^(?:README|CONTRIBUTING|SECURITY)\.md$/,
  /^docs\/.*\.md$/,
  /^\.changeset\/.*\.md$/,
  /^\.github\/.*\.md$/,
  /^fixtures\/.*\.(?:mjs|md)$/,
  /^examples\/.*\.(?:js|ts|md)$/,
  /^(?:scripts|runtimes|benchmarks)\/.*\.(?:mjs|md)$/,
];
// These quote the words.
const QUOTED = /^(?:docs\/words\.md|scripts\/test\/style\.)/;

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
const files = tracked
  .split('\n')
  .filter((path) => /\.(?:ts|mjs|md)$|^examples\/.*\.js$/.test(path) && existsSync(path))
  .map((path) => ({ path, source: readFileSync(path, 'utf8') }));
const manifests = tracked
  .split('\n')
  .filter((path) => /^packages\/[^/]+\/package\.json$/.test(path) && existsSync(path))
  .map((path) => [dirname(path), JSON.parse(readFileSync(path, 'utf8'))]);

// A contributor should not have to learn our words before the tests pass.
const isWarning = process.env.CI !== 'true';
const findings = [
  ...files
    .filter(({ path }) => PROSE.some((pattern) => pattern.test(path)) && !QUOTED.test(path))
    .flatMap(({ path, source }) => checkWords(path, source).map((finding) => ({ path, isWarning, ...finding }))),
  ...files.flatMap(({ path, source }) => checkClocks(path, source).map((finding) => ({ path, ...finding }))),
  ...checkRooms(files),
  ...checkCircles(files),
  ...checkExports(new Map(files.map(({ path, source }) => [path, source])), manifests),
];

const wanted = process.argv.slice(2).map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''));
const isWanted = (path) => wanted.length === 0 || wanted.some((one) => path === one || path.startsWith(`${one}/`));
const shown = findings
  .filter(({ path }) => isWanted(path))
  .sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
const lines = shown.map(({ path, line, message, isWarning }) => {
  return `${path}:${line}: ${isWarning ? 'warning: ' : ''}${message}`;
});
for (const line of new Set(lines)) console.log(line);
if (shown.some(({ isWarning }) => !isWarning)) process.exitCode = 1;
