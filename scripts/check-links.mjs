// Checks that the links in the Markdown files of the repository lead to files and headings that exist.
//
// Usage: node scripts/check-links.mjs
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
/** Folders that are generated or installed. */
const SKIPPED = new Set(['.git', '.turbo', 'content', 'dist', 'node_modules', 'tarballs']);
/** Links to files of the repository as the READMEs of packages have them. */
const REPOSITORY = /^https:\/\/github\.com\/htskit\/htskit\/(?:blob|raw|tree)\/main\//;
/** `[text](target)`, and `[label]: target` at the start of a line. */
const LINK = /\]\(([^)\s]+)(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)/gm;
const FENCE = /^( *)(```|~~~)[\s\S]*?^\1\2 *$/gm;

const headings = new Map();

/** Returns the paths of the Markdown files below a folder. */
function listMarkdown(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listMarkdown(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

function readWithoutFences(path) {
  return readFileSync(join(root, path), 'utf8').replace(FENCE, '');
}

/** Returns the anchors of a Markdown file, as GitHub makes them of its headings. */
function anchorsOf(path) {
  const known = headings.get(path);
  if (known !== undefined) return known;
  const anchors = new Set();
  for (const [, title] of readWithoutFences(path).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const text = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  headings.set(path, anchors);
  return anchors;
}

/** Returns whether npm shows a file: the README of a package that is published. */
function isShownByNpm(file) {
  if (!/^packages\/[^/]+\/README\.md$/.test(file)) return false;
  return JSON.parse(readFileSync(join(root, dirname(file), 'package.json'), 'utf8')).private !== true;
}

/** Returns what is wrong with a link of a file, or undefined. */
function findProblem(file, link) {
  if (isShownByNpm(file) && !/^(?:[a-z][a-z+.-]*:|#)/i.test(link))
    return 'is relative; npm needs https://github.com/htskit/htskit/…';
  const target = link.replace(REPOSITORY, '/');
  if (/^[a-z][a-z+.-]*:/i.test(target)) return undefined;
  const [path, anchor] = target.split('#').map(decodeURIComponent);
  const found = path === '' ? file : normalize(join(path.startsWith('/') ? '' : dirname(file), path));
  if (!existsSync(join(root, found))) return 'does not exist';
  if (anchor === undefined) return undefined;
  const page = statSync(join(root, found)).isDirectory() ? join(found, 'README.md') : found;
  if (!page.endsWith('.md')) return undefined;
  return anchorsOf(page).has(anchor) ? undefined : `has no heading #${anchor}`;
}

const files = listMarkdown('');
let count = 0;
for (const file of files) {
  // Code in a line may look like a link.
  const text = readWithoutFences(file).replace(/(`+)[^`\n]+\1/g, '');
  for (const [, inline, reference] of text.matchAll(LINK)) {
    const link = inline ?? reference;
    const problem = findProblem(file, link);
    count++;
    if (problem === undefined) continue;
    console.error(`${file}: ${link} ${problem}`);
    process.exitCode = 1;
  }
}
console.log(`checked ${count} links in ${files.length} Markdown files`);
