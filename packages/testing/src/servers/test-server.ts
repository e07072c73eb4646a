import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPTS = new URL('../../../../scripts/servers/', import.meta.url);
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** A running server of `scripts/servers`. */
export interface TestServer<Details> {
  readonly details: Details;
  readonly stop: () => Promise<void>;
}

/** Whether all programs are installed. Throws if one is missing and CI is set, because CI must not skip tests. */
export function areInstalled(...programs: readonly string[]): boolean {
  const missing = programs.filter((program) => !FOLDERS.some((folder) => existsSync(join(folder, program))));
  if (missing.length > 0 && process.env['CI'] === 'true') throw new Error(`${missing.join(', ')}: not installed`);
  return missing.length === 0;
}

/** Starts a script of `scripts/servers` and returns the JSON that it prints. */
export async function startServer<Details>(script: string, ...args: readonly string[]): Promise<TestServer<Details>> {
  const path = fileURLToPath(new URL(script, SCRIPTS));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const details = JSON.parse(line) as Details;
    // The server ends with its standard input, so it also ends if this process is killed.
    const stop = async (): Promise<void> => {
      child.stdin.end();
      await ended;
    };
    return { details, stop };
  }
  await ended;
  throw new Error(`${script} did not start: ${errors.slice(0, 2000)}`);
}
