// Builds the JBrowse plugin into packages/jbrowse-plugin/dist/plugin, after the packages: all of it in one script. Fails if it exceeds
// the limit.
//
// Usage: node scripts/build-jbrowse-plugin.mjs [--sizes]
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
/** The most bytes of the script, compressed by gzip. */
const MOST_BYTES = 80_000;
/** A module with the script: workers that are modules cannot load scripts. */
const MODULE = `import './htskit.umd.js';
export default globalThis.JBrowsePluginHtskit.default;
`;

/**
 * Shorter modules in place of those that other packages load late or for other purposes: servers convert CRAM, JBrowse runs adapters in
 * its own workers, and only whole sequences have digests to verify.
 */
const REPLACED = {
  '#lazy-formats': `
    import { BgzfRegions } from '${packages}records/dist/stored/bgzf-regions.js';
    import { HtsgetStore } from '${packages}records/dist/stored/htsget-store.js';
    export const loadBgzfRegions = async () => BgzfRegions;
    export const loadHtsgetStore = async () => HtsgetStore;
    export const loadInflateAhead = async () => undefined;
    const leftOut = async () => { throw new Error('the plugin does not have this part of @htskit/records'); };
    export { leftOut as loadCram, leftOut as loadAlignmentColumns, leftOut as loadVariantColumns };
    export { leftOut as loadGenotypes, leftOut as loadReferences };`,
  '#hash': `
    export { createMd5 } from '${packages}digest/dist/md5.js';
    const leftOut = () => { throw new Error('the plugin does not have this part of @htskit/digest'); };
    export { leftOut as createSha512, leftOut as createSha256 };`,
  '#lazy-decryption': `
    export const loadDecryption = async () => { throw new Error('the plugin does not have @htskit/crypt4gh'); };`,
};

const replaceParts = {
  name: 'replace-parts',
  enforce: 'pre',
  resolveId: (id) => (id in REPLACED ? `\0${id}` : undefined),
  load: (id) => REPLACED[id.slice(1)],
};

const [{ output }] = await build({
  root: `${packages}jbrowse-plugin`,
  configFile: false,
  logLevel: 'warn',
  plugins: [replaceParts],
  build: {
    outDir: 'dist/plugin',
    emptyOutDir: true,
    target: 'es2022',
    lib: {
      entry: `${packages}jbrowse-plugin/dist/plugin-file.js`,
      // JBrowse reads the global JBrowsePlugin and the name of the plugin in its configuration.
      name: 'JBrowsePluginHtskit',
      formats: ['umd'],
      fileName: () => 'htskit.umd.js',
    },
    rolldownOptions: { output: { exports: 'named', codeSplitting: false } },
  },
});
writeFileSync(`${packages}jbrowse-plugin/dist/plugin/htskit.esm.js`, MODULE);

const [{ code }] = output;
const bytes = gzipSync(code).length;
if (process.argv.includes('--sizes')) console.log(`${String(bytes).padStart(9)}  htskit.umd.js`);
if (bytes > MOST_BYTES) throw new Error(`the plugin takes ${bytes} bytes compressed by gzip, more than ${MOST_BYTES}`);
