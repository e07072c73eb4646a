import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Shells at a time. */
const CONCURRENCY = 2;
/** The output of a command, and its exit code. */
const OUTPUT = /(.*?)<exit code (\d+)>\n/gs;

export type ToolCommand = readonly string[];

/** Returns what some commands print, in order. Throws an error with the output of a command that fails. */
export async function runTools(commands: readonly ToolCommand[]): Promise<string[]> {
  const share = Math.ceil(commands.length / CONCURRENCY);
  const shares = Array.from({ length: CONCURRENCY }, (_, rank) => commands.slice(rank * share, (rank + 1) * share));
  return (await Promise.all(shares.map(runInShell))).flat();
}

export async function runTool(command: ToolCommand): Promise<string> {
  const [output = ''] = await runTools([command]);
  return output;
}

/** The lines of an output. */
export function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** The chosen columns of each line of tab-separated text, by their 0-based indexes. */
export function pickColumns(text: string, chosen: readonly number[]): string[] {
  return lines(text).map((line) => {
    const all = line.split('\t');
    return chosen.map((column) => all[column]).join('\t');
  });
}

/** One after another in a shell of its own: starting it a thousand times from here would take longer than the work. */
async function runInShell(commands: readonly ToolCommand[]): Promise<string[]> {
  if (commands.length === 0) return [];
  // Never ask the network for a reference.
  const shell = spawn('sh', [], { env: { ...process.env, REF_PATH: '/nowhere/%s' } });
  const chunks: Buffer[] = [];
  let errors = '';
  shell.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  shell.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  shell.stdin.end(
    commands.map((command) => `${command.map(quote).join(' ')} </dev/null\nprintf '<exit code %d>\\n' $?\n`).join(''),
  );
  await once(shell, 'close');
  const outputs = Array.from(Buffer.concat(chunks).toString('latin1').matchAll(OUTPUT));
  if (outputs.length < commands.length) throw new Error(`the shell ended early: ${errors.slice(0, 2000)}`);
  return outputs.map(([, output = '', code], rank) => {
    if (code !== '0') throw new Error(`${commands[rank]?.join(' ')} ended with ${code}: ${errors.slice(0, 2000)}`);
    return output;
  });
}

function quote(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`;
}
