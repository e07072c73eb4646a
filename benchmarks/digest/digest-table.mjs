// Measures `htskit digest` beside samtools dict, gtars and md5sum: wall time, CPU time and peak memory of whole processes, and
// whether the MD5 of all sequences are those of samtools.
//
//   node benchmarks/digest/digest-table.mjs [SIZE…] [--python PATH] [--folder DIR]
//
// A SIZE is a number of records of about 60 bases, or `genome`: 3.1 Gb in 24 sequences. The default is 1000000 3000000 5000000
// genome, which takes 4 GB in DIR, by default a new folder below the system's folder for temporary files. gtars is measured with
// the Python at PATH, where `pip install gtars==0.10.0` installed it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const COMMAND = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url));
/** Runs a command with its output in a file, and prints seconds, CPU seconds and peak kB of memory. */
const MEASURE = `
import resource, subprocess, sys, time
start = time.monotonic()
with open(sys.argv[1], "wb") as output:
    subprocess.run(sys.argv[2:], stdout=output, stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.monotonic() - start, used.ru_utime + used.ru_stime, used.ru_maxrss)
`;
const GTARS = `
import sys
from gtars.refget import digest_fasta
for record in digest_fasta(sys.argv[1]):
    print(record.metadata.name, record.metadata.md5, sep="\\t")
`;
const GENOME_SEQUENCES = 24;
const GENOME_BASES = 3.1e9;
const LINE_BASES = 60;

/** Yields lines of bases that do not repeat within 16 MiB. */
function* linesOfBases() {
  const block = Buffer.alloc(2 ** 24);
  let state = 1;
  for (let at = 0; at < block.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    block[at] = 'ACGT'.charCodeAt(state >>> 30);
  }
  for (let at = 0; ; at = (at + LINE_BASES) % (block.length - LINE_BASES))
    yield block.toString('latin1', at, at + LINE_BASES);
}

/** Yields the text of a FASTA in pieces. Records differ by their number. */
function* toFasta(size) {
  const lines = linesOfBases();
  const nextLine = () => lines.next().value;
  if (size === 'genome') {
    const count = Math.round(GENOME_BASES / GENOME_SEQUENCES / LINE_BASES);
    for (let index = 0; index < GENOME_SEQUENCES; index++) {
      yield `>chr${index + 1}\n${'ACGT'.repeat(index + 1)}\n`;
      for (let line = 0; line < count; line++) yield `${nextLine()}\n`;
    }
    return;
  }
  for (let index = 0; index < Number(size); index++) {
    const digits = Array.from(index.toString(4), (digit) => 'ACGT'[digit]).join('');
    yield `>contig_${index}\n${nextLine().slice(digits.length)}${digits}\n`;
  }
}

async function generate(path, size) {
  const file = createWriteStream(path);
  let text = '';
  for (const piece of toFasta(size)) {
    text += piece;
    if (text.length < 2 ** 20) continue;
    if (!file.write(text)) await once(file, 'drain');
    text = '';
  }
  file.end(text);
  await once(file, 'close');
}

/** Runs a command. Returns undefined if it fails. */
function measure(command, output) {
  try {
    const text = execFileSync('python3', ['-c', MEASURE, output, ...command], { encoding: 'utf8' });
    const [seconds, cpuSeconds, kilobytes] = text.trim().split(' ').map(Number);
    return { seconds, cpuSeconds, megabytes: Math.round(kilobytes / 1000) };
  } catch {
    return undefined;
  }
}

/** Digests the MD5 of all sequences in the output of a command. */
async function digestMd5s(output, pattern) {
  const hash = createHash('sha256');
  for await (const line of createInterface({ input: createReadStream(output) })) {
    const md5 = pattern.exec(line)?.[1];
    if (md5 !== undefined) hash.update(md5);
  }
  return hash.digest('hex');
}

const { values, positionals } = parseArgs({
  options: { folder: { type: 'string' }, python: { type: 'string' } },
  allowPositionals: true,
});
const sizes = positionals.length > 0 ? positionals : ['1000000', '3000000', '5000000', 'genome'];
const folder = mkdtempSync(join(values.folder ?? tmpdir(), 'htskit-digest-'));
console.log('size\tMB\tprogram\tseconds\tCPU seconds\tpeak RSS, MB\tMD5 as samtools');
try {
  for (const size of sizes) {
    const path = join(folder, 'sequences.fa');
    await generate(path, size);
    const contenders = {
      'samtools dict': [['samtools', 'dict', path], /\tM5:([0-9a-f]{32})/],
      'htskit digest': [[process.execPath, COMMAND, 'digest', path], /\t([0-9a-f]{32})\t/],
      ...(values.python !== undefined && { gtars: [[values.python, '-c', GTARS, path], /\t([0-9a-f]{32})$/] }),
      md5sum: [['md5sum', path], undefined],
    };
    let expected;
    for (const [program, [command, pattern]] of Object.entries(contenders)) {
      const output = join(folder, 'output');
      const measured = measure(command, output);
      if (measured === undefined) {
        console.log([size, '', program, 'failed'].join('\t'));
        continue;
      }
      const found = pattern && (await digestMd5s(output, pattern));
      if (program === 'samtools dict') expected = found;
      const { seconds, cpuSeconds, megabytes } = measured;
      const agrees = found === undefined || expected === undefined ? '' : found === expected ? 'yes' : 'no';
      const megabytesOfFile = Math.round(statSync(path).size / 1e6);
      console.log(
        [size, megabytesOfFile, program, seconds.toFixed(1), cpuSeconds.toFixed(1), megabytes, agrees].join('\t'),
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
