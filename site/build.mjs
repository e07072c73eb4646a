// Builds the site into site/dist, as static files: the guides are the Markdown files of the repository, the reference comes from the
// docstrings. Fails if a link leads nowhere.
//
// Usage: pnpm run site
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { build } from 'vitepress';
import { PACKAGES, PAGES, REPOSITORY, root } from './pages.mjs';

const site = fileURLToPath(new URL('./', import.meta.url));
const content = join(site, 'content');
/** Links to files of the repository as the READMEs of packages have them, since npm shows these. */
const ABSOLUTE = new RegExp(`${REPOSITORY}/(?:blob|raw|tree)/main/([^)\\s]+)`, 'g');
/** The images of the pages, relative to the root of the repository. */
const IMAGES = 'docs/images/';

/** Writes the reference of every package, one page for each entry point. */
async function writeReference() {
  const entries = PACKAGES.flatMap(({ folder, name, entries }) =>
    entries.map(([subpath, source]) => ({
      file: join(root, 'packages', folder, source),
      module: posix.join(name, subpath),
    })),
  );
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entries.map(({ file }) => file),
    tsconfig: join(site, 'tsconfig.json'),
    basePath: root,
    readme: 'none',
    githubPages: false,
    // tsc checks the types of the repository.
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    disableSources: true,
    router: 'module',
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    parametersFormat: 'table',
    logLevel: 'Error',
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('the sources cannot be read');
  for (const { file, module } of entries) {
    const source = file.slice(join(root, 'packages/').length).replace(/\.ts$/, '');
    const child = project.children?.find(({ name }) => `packages/${source}`.startsWith(name) || name === source);
    if (child === undefined)
      throw new Error(`${module} has no page; there are ${project.children?.map(({ name }) => name)}`);
    child.name = module.replace('@htskit/', '');
  }
  await app.outputs.writeOutput({ name: 'markdown', path: join(content, 'api') }, project);
}

/** Copies the pages of the repository, with links to each other, and to GitHub for files that are not pages. */
function writePages() {
  for (const [file, page] of PAGES) {
    const path = join(content, `${page}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, toPage(readFileSync(join(root, file), 'utf8'), file));
  }
  cpSync(join(site, 'index.md'), join(content, 'index.md'));
  cpSync(join(root, IMAGES), join(content, 'public/images'), { recursive: true });
}

function toPage(text, file) {
  let isCode = false;
  const lines = text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (isCode) return line;
    return line
      .replace(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, link) => `](${resolveLink(link, file)})`)
      .replaceAll(ABSOLUTE, (_, link) => resolveLink(link, ''))
      .replace(/ (src|srcset)="(?![a-z]+:)([^"]+)"/g, (_, name, link) => ` ${name}="${resolveLink(link, file)}"`);
  });
  return lines.join('\n');
}

function resolveLink(link, file) {
  const [path = '', hash] = link.split('#');
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, '');
  if (!existsSync(join(root, target))) throw new Error(`${file} links to ${link}, which does not exist`);
  const isFolder = statSync(join(root, target)).isDirectory();
  if (target.startsWith(IMAGES)) return `/images/${target.slice(IMAGES.length)}`;
  const page = PAGES.get(isFolder ? posix.join(target, 'README.md') : target);
  const suffix = hash === undefined ? '' : `#${hash}`;
  if (page !== undefined) return `/${page}${suffix}`;
  const kind = isFolder ? 'tree' : /\.(?:png|svg)$/.test(target) ? 'raw' : 'blob';
  return `${REPOSITORY}/${kind}/main/${target}${suffix}`;
}

rmSync(content, { recursive: true, force: true });
await writeReference();
writePages();
await build(site);
