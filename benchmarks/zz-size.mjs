import { bundleSize } from './bundle-size.mjs';
for (const n of ['openTabix','openBam']) { const { initial } = await bundleSize(`export { ${n} } from '@htskit/records';`, process.cwd() + '/packages/records'); console.log(n, initial); }
