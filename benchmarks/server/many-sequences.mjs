// Measures `htskit serve` with a FASTA of many short contigs, as assemblies, transcriptomes and metagenomes have them: memory,
// the first start, the second start, and how long /healthz takes meanwhile.
//
//   node benchmarks/server/many-sequences.mjs [COUNT…] [--folder DIR]
//
// The default is 1000000 3000000 5000000. The files are generated in DIR, by default a new folder below the system's folder for
// temporary files, and deleted afterwards.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const COMMAND = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url));
const BASES = 'ACGT';
const CONTIG_BASES = 51;
const POLL_MILLISECONDS = 20;

/** Returns the bases of a contig, which follow from its number and differ between contigs. */
function basesOf(index) {
  let state = (Math.imul(index + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  let bases = '';
  for (let at = 0; at < CONTIG_BASES; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bases += BASES[state >>> 30];
  }
  return bases + Array.from(index.toString(4), (digit) => BASES[digit]).join('');
}

/** Writes a FASTA of short contigs, about 80 bytes each. */
async function generate(path, count) {
  const file = createWriteStream(path);
  let text = '';
  for (let index = 0; index < count; index++) {
    text += `>contig_${index}\n${basesOf(index)}\n`;
    if (text.length < 2 ** 20) continue;
    if (!file.write(text)) await once(file, 'drain');
    text = '';
  }
  file.end(text);
  await once(file, 'close');
}

/** Starts the server, waits until the last contig is served, and returns what was measured. */
async function measure(folder, count) {
  const started = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'serve', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readUrl(child.stdout);
  const md5 = createHash('md5')
    .update(basesOf(count - 1))
    .digest('hex');
  let longest = 0;
  for (;;) {
    const asked = performance.now();
    const health = await fetch(`${url}/healthz`);
    await health.arrayBuffer();
    longest = Math.max(longest, performance.now() - asked);
    const response = await fetch(`${url}/sequence/${md5}`);
    const text = await response.text();
    if (response.ok && text === basesOf(count - 1)) break;
    if (response.status !== 503) throw new Error(`unexpected response ${response.status}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
  const seconds = (performance.now() - started) / 1000;
  const list = await (await fetch(`${url}/list/collection`)).json();
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const megabytes = (field) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1000);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { seconds, longest, rss: megabytes('VmRSS'), peak: megabytes('VmHWM'), collections: list.results.length };
}

async function readUrl(stream) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk;
    const url = /listening on (\S+)/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the server did not start');
}

const { values, positionals } = parseArgs({ options: { folder: { type: 'string' } }, allowPositionals: true });
const counts = positionals.length > 0 ? positionals.map(Number) : [1e6, 3e6, 5e6];
const parent = values.folder ?? tmpdir();
console.log('contigs\tMB\tstart\tseconds\tlongest /healthz, ms\tRSS, MB\tpeak RSS, MB\tcollections');
for (const count of counts) {
  const folder = mkdtempSync(join(parent, 'htskit-contigs-'));
  try {
    const path = join(folder, 'contigs.fa');
    await generate(path, count);
    for (const start of ['first', 'second']) {
      const { seconds, longest, rss, peak, collections } = await measure(folder, count);
      const size = Math.round(statSync(path).size / 1e6);
      console.log([count, size, start, seconds.toFixed(1), longest.toFixed(0), rss, peak, collections].join('\t'));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
