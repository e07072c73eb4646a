import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { isStoreFolder } from '@htskit/catalogue/internal';
import type { BorrowedBytes } from '@htskit/io';
import {
  type CharacterPolicy,
  CollectionBuilder,
  type DigestPool,
  type FastaDigests,
  type SequenceCollection,
} from '@htskit/sequences';
import { RecordWarnings } from '@htskit/sequences/internal';
import { STDIN } from '../../files/standard-streams.js';
import { checkFastaIndexes } from '../../stored-file/check-fasta-indexes.js';
import { type OpenIdentity, openInput } from '../../stored-file/input-file.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { startProgressBar } from '../../terminal/progress.js';

/** Bytes per read: with the 64 KiB of Node, reading takes longer than digesting. */
const READ_BYTES = 2 ** 20;

export interface DigestTask {
  /** Opens the keys for encrypted files. Default: there are none. */
  readonly openIdentity?: OpenIdentity;
  readonly pool: DigestPool;
  readonly characters: CharacterPolicy;
  readonly signal: AbortSignal;
}

/** Yields the digests of the records of a FASTA, or of stdin, and reports what they omit. Throws Error for a folder. */
export async function* digestFile(
  path: string,
  { pool, characters, openIdentity, signal }: DigestTask,
): AsyncGenerator<readonly FastaDigests[], void> {
  const isStdin = path === STDIN;
  const chunks = isStdin ? addAbortSignal(signal, process.stdin) : await openFasta(path, openIdentity);
  // On a terminal, the output lines would run into the bar.
  const isVisible = !isStdin && !process.stdout.isTTY;
  const bar = startProgressBar(escapeControls(basename(path)), isVisible ? (await stat(path)).size : 0);
  const warnings = new RecordWarnings({
    characters: characters === 'sam' ? 'sam' : 'letters',
    warn: (message) => log(path, message),
  });
  try {
    const onProgress = ({ bytesRead }: { readonly bytesRead: number }): void => bar.update(bytesRead);
    for await (const batch of pool.digestBatches(chunks, { characters, signal, onProgress })) {
      for (const digests of batch) warnings.add(digests);
      yield batch;
    }
    warnings.finish();
  } finally {
    bar.stop();
  }
}

/** Returns the sequence collection of a FASTA. Throws Error for one without sequences, and what `digestFile` throws. */
export async function digestFileCollection(path: string, task: DigestTask): Promise<SequenceCollection> {
  const builder = new CollectionBuilder();
  for await (const batch of digestFile(path, task)) for (const digests of batch) builder.add(digests);
  const collection = await builder.finish({ signal: task.signal });
  if (collection === undefined) throw new Error('there are no sequences, so there is no collection');
  return collection;
}

/** Writes a message about a file, or about the command, to stderr. */
export function log(subject: string, message: string): void {
  process.stderr.write(`${escapeControls(`${subject}: ${message}`)}\n`);
}

/** Opens the text of a FASTA. Throws Error for a folder, for one that is truncated, and for one that there is no key for. */
async function openFasta(path: string, openIdentity: OpenIdentity | undefined): Promise<AsyncIterable<BorrowedBytes>> {
  await checkNoFolder(path);
  const input = await openInput(path, openIdentity);
  if (input.isEncrypted) return input.readFromStart();
  await checkFastaIndexes(path);
  return readOverwriting(path);
}

/** Reads a file in chunks that share one buffer: a new one for each would make the garbage collector take a sixth of the time. */
async function* readOverwriting(path: string): AsyncGenerator<BorrowedBytes, void> {
  const file = await open(path);
  try {
    const buffer = new Uint8Array(READ_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function checkNoFolder(path: string): Promise<void> {
  if (!(await stat(path)).isDirectory()) return;
  if (await isStoreFolder(path)) {
    throw new Error('is a sequence store; htskit refget list prints its collections, htskit refget export its digests');
  }
  if (await isRgstoreFolder(path)) throw new Error('is a RefgetStore; htskit ls prints its sequences');
  throw new Error('is a folder; name the FASTA files in it');
}

/** Returns whether a folder is a RefgetStore of gtars. */
export async function isRgstoreFolder(path: string): Promise<boolean> {
  const stats = await stat(join(path, 'rgstore.json')).catch(() => undefined);
  return stats?.isFile() === true;
}
