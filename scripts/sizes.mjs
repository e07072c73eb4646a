// Measures what imports of the packages weigh in a browser, and writes the tables between the markers of the READMEs. `--check`
// fails if a README is more than 5 % off, or an import exceeds its limit. The JBrowse plugin has a limit, too.
//
// Usage: node scripts/sizes.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleSize } from '../benchmarks/bundle-size.mjs';
import { formatMarkdownTable } from '../benchmarks/report/markdown-table.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The imports of each package, some with the most kilobytes that they may take. */
const IMPORTS = {
  io: ['LruCache', 'readChunks'],
  protocol: ['parseHtsgetGet', 'parseHtsgetPost'],
  http: ['createTransport'],
  bgzf: [['gunzip', 10], 'BgzfReader', 'inflateStream', 'deflateStream'],
  digest: [['createMd5', 2], 'SequenceDigester'],
  access: ['jwtAuthorizer'],
  crypt4gh: ['decryptingSource', 'encryptStream', 'parseSecretKey'],
  formats: ['AlignmentRecord', 'parseVcfHeader', 'BcfVariantRecord', 'createCramDecoder'],
  indexes: [['parseBinningIndex', 12], 'parseCrai', 'parseFai', 'indexBam'],
  sequences: ['openFasta', 'openTwoBit'],
  client: [['openHtsget', 16.6], 'RefgetClient'],
  records: [['openAlignments', 45], ['openBam', 42], ['openVariants', 50], 'openTabix'],
  refget: ['createRefgetHandler'],
  htsget: ['createHtsgetHandler'],
  drs: ['createDrsHandler'],
  conform: ['conform'],
};
const TABLE = /(<!-- sizes -->\n)[\s\S]*?(<!-- \/sizes -->)/;
/** Compilers differ from version to version. */
const TOLERANCE = 0.05;

function format(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** Returns the table of a package. */
function toTable(rows) {
  const hasLazy = rows.some(({ lazy }) => lazy > 0);
  const titles = ['import', 'minified, gzip', ...(hasLazy ? ['more, when needed'] : [])];
  const cells = rows.map(({ exported, initial, lazy }) => [
    `\`${exported}\``,
    format(initial),
    ...(hasLazy ? [lazy > 0 ? format(lazy) : '–'] : []),
  ]);
  return `\n${formatMarkdownTable(titles, cells, new Set())}\n\n`;
}

/** Returns the sizes that a table states. */
function readSizes(table) {
  return [...table.matchAll(/([\d.]+) kB/g)].map(([, size]) => Number(size));
}

function isNear(found, expected) {
  return (
    found.length === expected.length &&
    found.every((size, i) => Math.abs(size - expected[i]) <= expected[i] * TOLERANCE + 0.05)
  );
}

const isCheck = process.argv.includes('--check');
// It fails beyond 80 kB.
await import('./build-jbrowse-plugin.mjs');
for (const [name, imports] of Object.entries(IMPORTS)) {
  const rows = [];
  for (const [exported, limit] of imports.map((each) => [each].flat())) {
    const row = {
      exported,
      ...(await bundleSize(`export { ${exported} } from '${root}packages/${name}/dist/index.js';`, root)),
    };
    rows.push(row);
    if (row.initial / 1000 <= (limit ?? Number.POSITIVE_INFINITY)) continue;
    console.error(`${name}: ${exported} takes ${format(row.initial)}, more than ${limit} kB`);
    process.exitCode = 1;
  }
  const path = `${root}packages/${name}/README.md`;
  const text = readFileSync(path, 'utf8');
  const table = toTable(rows);
  const current = TABLE.exec(text)?.[0];
  if (current === undefined) throw new Error(`${path} has no place for its sizes`);
  if (!isCheck)
    writeFileSync(
      path,
      text.replace(TABLE, (_, start, end) => start + table + end),
    );
  else if (!isNear(readSizes(current), readSizes(table))) {
    console.error(`${name}: run node scripts/sizes.mjs; found ${table}`);
    process.exitCode = 1;
  }
}
