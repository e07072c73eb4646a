// Measures what imports of the packages weigh in a browser: bundled and minified by Vite, then compressed by gzip. Writes the tables
// between the markers of the READMEs; `--check` fails if a README is more than 3 % off, or an import is over its budget.
//
// Usage: node scripts/sizes.mjs [--check] [PACKAGE…]
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The imports of each package, with the most kilobytes that some of them may take. */
const IMPORTS = {
  bgzf: { gunzip: 10, BgzfReader: undefined, deflateBlocks: undefined },
  indexes: { parseBinningIndex: 12, parseCrai: undefined, parseFai: undefined },
  formats: { AlignmentRecord: undefined, parseBamHeader: undefined, parseVcfHeader: undefined, createCramDecoder: undefined },
  client: { openHtsget: 14, createRefgetClient: undefined },
  records: { openVariants: undefined, openAlignments: undefined },
  digest: { digestSequence: undefined },
  storage: {},
};

/** Returns the kilobytes of an import that are loaded at once, and of those that are loaded on demand. */
export async function measure(name, exported) {
  const entry = '\0entry';
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'entry',
        enforce: 'pre',
        resolveId: (id, importer) => (id === 'entry' ? entry : undefined),
        load: (id) => (id === entry ? `export { ${exported} } from '${root}packages/${name}/dist/index.js';` : undefined),
      },
    ],
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: 'entry', preserveEntrySignatures: 'strict' },
    },
  });
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  const initial = new Set();
  const add = (chunk) => {
    if (initial.has(chunk)) return;
    initial.add(chunk);
    for (const file of chunk.imports) add(chunks.get(file));
  };
  for (const chunk of chunks.values()) if (chunk.isEntry) add(chunk);
  const weigh = (list) => list.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0) / 1000;
  return { initial: weigh([...initial]), lazy: weigh([...chunks.values()].filter((chunk) => !initial.has(chunk))) , chunks: [...chunks.values()], initialChunks: [...initial]};
}

if (process.argv[2] === 'x') {
  for (const [name, ex] of [['bgzf','gunzip'],['indexes','parseBinningIndex'],['client','openHtsget']]) {
    const m = await measure(name, ex);
    console.log(name, ex, m.initial, m.lazy);
    for (const c of m.initialChunks) console.log(Object.entries(c.modules).map(([id, {renderedLength}]) => [renderedLength, id.replace(root,'')]).sort((a,b)=>b[0]-a[0]).slice(0,40).map(x=>x.join(' ')).join('\n'));
  }
}
