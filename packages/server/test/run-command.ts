import { vi } from 'vitest';
import { runProgram } from '../src/program.js';

/** What a command wrote, and the exit code of its process. */
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
  const [readStdout, readStderr] = [captureWrites(process.stdout), captureWrites(process.stderr)];
  process.exitCode = undefined;
  process.chdir(folder);
  try {
    const failure = await runProgram(args);
    return { code: failure ?? Number(process.exitCode ?? 0), stdout: readStdout(), stderr: readStderr().toString() };
  } finally {
    process.chdir(previous);
    process.exitCode = exitCode;
    vi.mocked(process.stdout.write).mockRestore();
    vi.mocked(process.stderr.write).mockRestore();
  }
}

/** Keeps what is written to a stream from it, and returns a function that returns these bytes. */
function captureWrites(stream: NodeJS.WriteStream): () => Buffer {
  const chunks: Buffer[] = [];
  vi.spyOn(stream, 'write').mockImplementation((chunk) => {
    chunks.push(Buffer.from(chunk));
    return true;
  });
  return () => Buffer.concat(chunks);
}
