// The pages of the site: which files of the repository they are, and where they appear.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));
export const REPOSITORY = 'https://github.com/htskit/htskit';

/** The guides: file of the repository, path of the page, title in the navigation. */
export const GUIDES = [
  ['README.md', 'guide/quick-start', 'Quick start'],
  ['packages/htsget/README.md', 'guide/embed', 'Embed'],
  ['docs/operations.md', 'guide/operate', 'Operate'],
  ['docs/commands.md', 'guide/commands', 'Commands'],
  ['docs/configuration.md', 'guide/configuration', 'Configuration'],
  ['docs/served-files.md', 'guide/served-files', 'Served files'],
  ['docs/encrypted.md', 'guide/encrypted', 'Encrypted data'],
  ['docs/controlled-data.md', 'guide/controlled-data', 'Controlled data'],
  ['docs/clients.md', 'guide/clients', 'Clients'],
  ['docs/formats.md', 'guide/formats', 'Formats'],
  ['docs/benchmarks.md', 'guide/performance', 'Performance'],
  ['docs/benchmarks-full.md', 'guide/all-benchmarks', 'All benchmarks'],
];

export const COMPARISONS = [
  ['docs/comparison.md', 'guide/comparison', 'Comparison'],
  ['docs/conformance.md', 'guide/conformance', 'Conformance'],
  ['docs/from-gmod.md', 'guide/from-gmod', 'Coming from @gmod'],
  ['docs/from-htsget-rs.md', 'guide/from-htsget-rs', 'Coming from htsget-rs'],
];

/** The published packages, with the source file of each entry point, by its subpath. */
export const PACKAGES = readdirSync(`${root}packages`)
  .map((folder) => ({ folder, ...JSON.parse(readFileSync(`${root}packages/${folder}/package.json`, 'utf8')) }))
  .filter((manifest) => manifest.private !== true)
  .map(({ folder, name, exports }) => ({ folder, name, entries: entriesOf(exports) }));

function entriesOf(exports) {
  return Object.entries(exports)
    .map(([subpath, conditions]) => [subpath, sourceOf(conditions)])
    .filter(([subpath, source]) => source !== undefined && subpath !== './internal');
}

/** Returns the source of an entry point. If runtimes have different ones, that of Node. */
function sourceOf(conditions) {
  const source = conditions['@htskit/source'];
  return typeof source === 'object' ? source.node : source;
}

/** The page of each file of the repository that has one. */
export const PAGES = new Map([
  ...PACKAGES.map(({ folder }) => [`packages/${folder}/README.md`, `packages/${folder}`]),
  ['docs/decisions/README.md', 'decisions/index'],
  ...readdirSync(`${root}docs/decisions`)
    .filter((file) => /^\d/.test(file))
    .map((file) => [`docs/decisions/${file}`, `decisions/${file.replace(/\.md$/, '')}`]),
  ...[...GUIDES, ...COMPARISONS].map(([file, page]) => [file, page]),
]);
