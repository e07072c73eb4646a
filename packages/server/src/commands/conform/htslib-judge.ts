import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileJudge } from '@htskit/conform';

/** The program that reads each format from stdin to its end, and prints little or nothing. */
const PROGRAMS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  BAM: ['samtools', 'view', '-c', '-'],
  CRAM: ['samtools', 'view', '-c', '-'],
  VCF: ['bcftools', 'view', '-Ou', '-o', '/dev/null', '-'],
  VCFTEXT: ['bcftools', 'view', '-Ou', '-o', '/dev/null', '-'],
  BCF: ['bcftools', 'view', '-Ou', '-o', '/dev/null', '-'],
};
/** Messages with which the programs end with 0 all the same. */
const COMPLAINT = /EOF marker is absent|truncated|\[E::|\[W::bam_hdr_read|fail/i;

/** Returns a judge that has samtools and bcftools read files, or undefined unless both are installed. */
export async function createHtslibJudge(): Promise<FileJudge | undefined> {
  const installed = await Promise.all(['samtools', 'bcftools'].map(isInstalled));
  if (installed.includes(false)) return undefined;
  return async (format, bytes) => {
    const [program = '', ...args] = PROGRAMS[format] ?? [];
    if (program === '') return undefined;
    const { code, stderr } = await run(program, args, bytes);
    const isRight = code === 0 && !COMPLAINT.test(stderr);
    return isRight ? undefined : `${program} ends with ${code}: ${stderr.trim()}`;
  };
}

async function isInstalled(program: string): Promise<boolean> {
  try {
    return (await run(program, ['--version'])).code === 0;
  } catch {
    return false;
  }
}

/** Runs a program on bytes. Rejects if it cannot be started. */
async function run(
  program: string,
  args: readonly string[],
  input: Uint8Array = new Uint8Array(),
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A program that refuses the beginning of a file does not read the rest.
  child.stdin.on('error', () => undefined).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}
