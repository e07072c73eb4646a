import { readFileSync } from 'node:fs';
import { createPlainHtsgetHandler, createHtsgetHandler } from '@htskit/htsget';
import { fileSource } from '@htskit/storage/file';
const p = new URL('../fixtures/reads.bam', import.meta.url).pathname;
const files = [{ format: 'BAM', data: fileSource(p), index: fileSource(`${p}.bai`) }];
const handler = createPlainHtsgetHandler({ publicUrl: 'http://localhost', resolve: async () => files, signingKeys: [new Uint8Array(32)] , onError(){} });
const urls = Array.from({length: 64}, (_, i) => `http://localhost/reads/a?referenceName=chr1&start=${i*1000}&end=${i*1000+900}`);
async function run(n) { const t = process.cpuUsage(); for (let i = 0; i < n; i++) { const r = await handler(new Request(urls[i % 64])); if (r.status !== 200) throw new Error('status '+r.status); } const d = process.cpuUsage(t); return (d.user + d.system) / n; }
await run(4000);
const out = []; for (let i = 0; i < 9; i++) out.push(await run(4000));
out.sort((a,b)=>a-b); console.log('µs/ticket median', out[4].toFixed(2), 'min', out[0].toFixed(2));
