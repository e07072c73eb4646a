import { openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { ReadStream } from 'node:tty';

/**
 * Asks for a passphrase on the terminal, without showing it, even if stdin is a pipe. Throws Error if there is no terminal, or if the
 * user enters nothing.
 */
export async function askPassphrase(question: string): Promise<string> {
  const input = openTerminal();
  const lines = createInterface({ input, output: createSilentOutput(), terminal: true });
  process.stderr.write(question);
  try {
    const passphrase = await new Promise<string>((resolve) => {
      lines.once('line', resolve).once('close', () => resolve(''));
    });
    if (passphrase === '') throw new Error('no passphrase was entered');
    return passphrase;
  } finally {
    lines.close();
    process.stderr.write('\n');
    if (input !== process.stdin) input.destroy();
  }
}

function openTerminal(): ReadStream {
  if (process.stdin.isTTY) return process.stdin;
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch (cause) {
    throw new Error('there is no terminal to enter a passphrase; use C4GH_PASSPHRASE or --passphrase-file', { cause });
  }
}

/** Takes the echo of what is typed. */
function createSilentOutput(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
