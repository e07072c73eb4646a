import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { decryptingSource, decryptStream, encryptStream, reencryptStream, type SecretKey } from '@htskit/crypt4gh';
import { crypt4ghOf, selectRanges } from '@htskit/crypt4gh/internal';
import type { ByteRange, ByteSource } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';
import { ofFile, UsageError } from '../../errors.js';
import { readIdentities, readRecipients } from '../../files/key-files.js';
import { STDIN, STDOUT } from '../../files/standard-streams.js';
import { checkOutput, checkTerminal, isGarbledByProgress, writeOutput } from '../../files/write-output.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { startProgressBar } from '../../terminal/progress.js';
import { keepRanges, readKept } from './kept-bytes.js';

/** The options of `htskit encrypt`, `decrypt` and `reencrypt`; not each command has all of them. */
export interface Crypt4ghFlags {
  readonly identity: readonly string[];
  readonly passphraseFile?: string;
  readonly recipient?: readonly string[];
  readonly edit?: readonly ByteRange[];
  readonly output?: string;
  readonly keepReaders?: boolean;
}

/** A file, and the options of its command. */
export interface Crypt4ghTask {
  readonly path: string;
  readonly flags: Crypt4ghFlags;
  readonly signal: AbortSignal;
}

const EXTENSION = '.c4gh';
const EVERYTHING: readonly ByteRange[] = [{ start: 0, end: Number.MAX_SAFE_INTEGER }];

/** Encrypts a file for the recipients. Throws UsageError and Error. */
export async function encryptFile(task: Crypt4ghTask): Promise<void> {
  const { path, flags } = task;
  const recipients = await readRecipients(flags.recipient ?? []);
  const isNamed = flags.identity.length > 0;
  const [writer] = isNamed ? await readKeys(flags) : [];
  const output = flags.output ?? (path === STDIN ? STDOUT : path + EXTENSION);
  checkTerminal('Crypt4GH', output);
  await run(task, output, (input, signal) => encryptStream(keepInput(input, flags, signal), { recipients, writer }));
}

/** Decrypts a file. Throws UsageError and Error. */
export async function decryptFile(task: Crypt4ghTask): Promise<void> {
  const { path, flags } = task;
  const keys = await readKeys(flags);
  const isNamed = path.endsWith(EXTENSION) && path.length > EXTENSION.length;
  const output = flags.output ?? (isNamed ? path.slice(0, -EXTENSION.length) : STDOUT);
  await run(task, output, (input, signal) =>
    keepInput('key' in input ? decryptingSource(input, { keys }) : decryptStream(input, { keys }), flags, signal),
  );
}

/** Encrypts the header of a file for the recipients, or selects ranges of it. Throws UsageError and Error. */
export async function reencryptFile(task: Crypt4ghTask): Promise<void> {
  const { path, flags } = task;
  const { edit, keepReaders: keepsOtherReaders } = flags;
  if (edit !== undefined && path === STDIN) throw new UsageError('--edit needs a file, not stdin');
  const [keys, recipients] = [await readKeys(flags), await readRecipients(flags.recipient ?? [])];
  const output = flags.output ?? STDOUT;
  checkTerminal('Crypt4GH', output);
  await run(task, output, (input, signal) => {
    if (edit === undefined || !('key' in input)) {
      return reencryptStream(keepInput(input, {}, signal), { keys, recipients, keepsOtherReaders });
    }
    return selectFile(input, { keys, recipients, ranges: edit, signal });
  });
}

interface Selection extends Omit<Parameters<typeof selectRanges>[1], 'signal'> {
  readonly keys: readonly SecretKey[];
  readonly signal: AbortSignal;
}

async function* selectFile(stored: ByteSource, { keys, ...selection }: Selection): AsyncGenerator<Uint8Array, void> {
  const file = await crypt4ghOf(decryptingSource(stored, { keys }))?.openFile({ signal: selection.signal });
  if (file !== undefined) yield* selectRanges(file, selection);
}

function readKeys({ identity, passphraseFile }: Crypt4ghFlags): Promise<readonly [SecretKey, ...SecretKey[]]> {
  return readIdentities(identity, { passphraseFile, environment: process.env });
}

/** A file, or the chunks of stdin. */
type Input = ByteSource | AsyncIterable<Uint8Array>;

function keepInput(
  input: Input,
  { edit }: Pick<Crypt4ghFlags, 'edit'>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  if ('key' in input) return readKept(input, edit ?? EVERYTHING, signal);
  return edit === undefined ? input : keepRanges(input, edit);
}

type Convert = (input: Input, signal: AbortSignal) => AsyncIterable<Uint8Array>;

/** Writes what `convert` makes of the input, with a bar of the bytes that were written. */
async function run({ path, flags, signal }: Crypt4ghTask, output: string, convert: Convert): Promise<void> {
  const isStdin = path === STDIN;
  const keyFiles = [
    ...flags.identity,
    ...(flags.recipient ?? []),
    ...(flags.passphraseFile === undefined ? [] : [flags.passphraseFile]),
  ];
  await checkOutput(output, [...(isStdin ? [] : [path]), ...keyFiles]);
  await checkUnused(output, flags);
  const source = isStdin ? undefined : fileSource(path);
  try {
    const size = flags.edit === undefined && !isGarbledByProgress(output) ? ((await source?.stat())?.size ?? 0) : 0;
    const bar = startProgressBar(escapeControls(basename(path)), size);
    const input = source ?? addAbortSignal(signal, process.stdin);
    try {
      await writeOutput(output, watch(convert(input, signal), path, bar.update.bind(bar)), { signal });
    } finally {
      bar.stop();
    }
  } finally {
    await source?.close();
  }
}

/** Throws Error if an output that the user did not name exists. */
async function checkUnused(output: string, flags: Crypt4ghFlags): Promise<void> {
  if (flags.output !== undefined || output === STDOUT) return;
  // A dangling link exists, too.
  const exists = await lstat(output).then(
    () => true,
    () => false,
  );
  if (exists) throw new Error(`${output} exists; use -o ${output} to overwrite it`);
}

/** Reports the bytes of chunks, and the errors of the input with its path. */
async function* watch(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  update: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      update(bytes);
      yield chunk;
    }
  } catch (error) {
    throw ofFile(path === STDIN ? 'stdin' : path, error);
  }
}
