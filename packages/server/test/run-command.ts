import { AsyncLocalStorage } from 'node:async_hooks';
import { KeptChunks } from '@htskit/testing';
import { vi } from 'vitest';
import { runProgram } from '../src/program.js';

/** The output of a command, and the exit code of its process. */
export interface CommandResult<Output = string> {
  readonly code: number;
  readonly stdout: Output;
  readonly stderr: string;
}

/**
 * Runs `htskit ARGS…` in this process, by default in its working directory. A command that is ended by a signal, or that
 * reads stdin, needs a process of its own.
 */
export async function runCommand(args: readonly string[], folder?: string): Promise<CommandResult> {
  const { stdout, ...result } = await runBinaryCommand(args, folder);
  return { ...result, stdout: stdout.toString() };
}

/** Runs a command like `runCommand`, for output that is not text. */
export async function runBinaryCommand(args: readonly string[], folder = '.'): Promise<CommandResult<Buffer>> {
  const { exitCode } = process;
  const previous = process.cwd();
  const [stdout, stderr] = [captureWrites(process.stdout), captureWrites(process.stderr)];
  process.exitCode = undefined;
  process.chdir(folder);
  try {
    const failure = await isCommand.run(true, () => runProgram(args));
    return {
      code: failure ?? Number(process.exitCode ?? 0),
      stdout: stdout.bytes(),
      stderr: stderr.bytes().toString(),
    };
  } finally {
    process.chdir(previous);
    process.exitCode = exitCode;
    stdout.release();
    stderr.release();
  }
}

/** Distinguishes what a command writes from what, for example, a server of an earlier test logs. */
const isCommand = new AsyncLocalStorage<true>();

/**
 * Keeps what a command writes to a stream from it, until `release` is called. The chunks are queued, as those for a slow reader
 * are: `bytes` throws if the command has overwritten one.
 */
function captureWrites(stream: NodeJS.WriteStream): { bytes(): Buffer; release(): void } {
  const chunks = new KeptChunks();
  const listeners = stream.listeners('error');
  // Each worker that the process has started by now has a listener on the stream, too. After ten, Node would print a warning.
  stream.setMaxListeners(0);
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
    if (isCommand.getStore() === true) chunks.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    return true;
  });
  return {
    bytes: () => chunks.bytes(),
    release: () => {
      spy.mockRestore();
      // `pipeline` leaves a listener on stdout; after the tenth command of a process, Node would print a warning.
      for (const listener of stream.listeners('error')) {
        if (!listeners.includes(listener)) stream.off('error', listener as (error: Error) => void);
      }
    },
  };
}
