import { build } from 'vite';
const { output } = await build({ root: process.cwd(), configFile: false, logLevel: 'error', plugins: [{ name: 'entry', resolveId: (id) => (id === 'entry' ? '\0entry' : undefined), load: (id) => (id === '\0entry' ? `export { ${process.argv[2]} } from '${process.cwd()}/packages/records/dist/index.js';` : undefined) }], build: { write: false, target: 'es2022', modulePreload: false, rollupOptions: { input: 'entry', preserveEntrySignatures: 'strict' } } });
const e = output.find((o) => o.isEntry);
const mods = Object.entries(e.modules).map(([k, v]) => [v.code ? v.code.length : v.renderedLength, k.replace(process.cwd() + '/packages/', '')]).sort((a, b) => b[0] - a[0]);
for (const [n, k] of mods) console.log(n, k);
