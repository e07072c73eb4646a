// Compares what samtools and bcftools read from a service with what they read from the files when the fixtures were
// made.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runCommand } from './command.mjs';

const TIMEOUT_SECONDS = 30;
const REGIONS = 3;

const COMMANDS = [
  { command: ['samtools', 'view'], path: 'reads/straddle', name: 'straddle.bam' },
  { command: ['samtools', 'view'], path: 'split/reads/multiref?format=CRAM', name: 'multiref.cram' },
  { command: ['bcftools', 'view', '-H'], path: 'split/variants/variants', name: 'variants.vcf.gz' },
];

/** Returns the version of samtools; undefined if it or bcftools is not installed. */
export function findSamtools() {
  try {
    execFileSync('bcftools', ['--version'], { stdio: 'ignore' });
    return /^samtools (\S+)/.exec(execFileSync('samtools', ['--version'], { encoding: 'utf8' }))[1];
  } catch {
    return undefined;
  }
}

/** Reads files and regions from the service at `origin`. Returns the number of compared answers. */
export async function readBySamtools(origin) {
  let count = 0;
  for (const { command, path, name } of COMMANDS) {
    const { textSha256, regions } = JSON.parse(
      readFileSync(new URL(`../fixtures/expected/${name}.json`, import.meta.url), 'utf8'),
    );
    const text = await view(command, `${origin}/${path}`);
    if (sha256(text) !== textSha256) throw new Error(`${command[0]} read something else than ${name}`);
    count++;
    // A slice of CRAM holds neighbouring records, too.
    for (const region of name.endsWith('.cram') ? [] : regions.slice(0, REGIONS)) {
      const { referenceName, start, end, records } = region;
      const lines = (
        await view(command, `${origin}/${path}?${new URLSearchParams({ referenceName, start, end })}`)
      ).split('\n');
      const wanted = records.reduce((sum, [first, last]) => sum + last - first + 1, 0);
      if (lines.length - 1 !== wanted) throw new Error(`${command[0]} read ${lines.length - 1} records, not ${wanted}`);
      count++;
    }
  }
  return count;
}

function view([tool, ...args], url) {
  return runCommand(tool, [...args, url], { timeoutSeconds: TIMEOUT_SECONDS });
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}
