import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from '../interop-tools.js';

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
  return JSON.parse(readFileSync(results, 'utf8'));
}
