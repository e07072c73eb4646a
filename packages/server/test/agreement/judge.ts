import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPythonPackages } from '@htskit/testing';
import { runTool } from '../interop-tools.js';

const requirements = fileURLToPath(new URL('../clients/pysam-requirements.txt', import.meta.url));

/** The version of pysam, which bundles samtools, bcftools and htslib. */
export const PYSAM_VERSION: string = /^pysam==(\S+)$/m.exec(readFileSync(requirements, 'utf8'))?.[1] ?? '';

/** Installs pysam in `folder`. Returns the path of its Python, or undefined if no package registry is reachable. */
export async function installPysam(folder: string): Promise<string | undefined> {
  const bin = await installPythonPackages(join(folder, 'python'), requirements);
  return bin === undefined ? undefined : join(bin, 'python');
}

/** A command of samtools, bcftools or tabix with its arguments. */
export type Call = readonly [program: 'samtools' | 'bcftools' | 'tabix', command: string, ...args: string[]];

/** Returns what each call of each job prints; null for one that fails. All run in one Python process. */
export async function judge(
  python: string,
  folder: string,
  jobs: readonly (readonly Call[])[],
): Promise<(string | null)[][]> {
  const id = randomUUID();
  const [manifest, results] = [join(folder, `${id}-manifest.json`), join(folder, `${id}-results.json`)];
  writeFileSync(manifest, JSON.stringify(jobs));
  await runTool([python, fileURLToPath(new URL('judge.py', import.meta.url)), manifest, results]);
  return JSON.parse(readFileSync(results, 'utf8')) as (string | null)[][];
}
