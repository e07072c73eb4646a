import { createReadStream } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { checkFolder, findSameFile } from '../../files/write-output.js';

export interface IndexOutputOptions {
  /** Whether an existing index may be overwritten. */
  readonly force: boolean;
  /** The files to index, which are never overwritten. */
  readonly inputs: readonly string[];
}

/** The number of bytes that are inspected. */
const HEAD_BYTES = 4096;
const MAGICS = ['BAI\u0001', 'CSI\u0001', 'TBI\u0001'];
const BIG_WIG_MAGIC = 0x888ffc26;
/** The start of an encrypted file, and the name of an encrypted index, whose content cannot be seen. */
const ENCRYPTED_MAGIC = 'crypt4gh';
const ENCRYPTED_INDEX = /\.(bai|csi|tbi|crai|fai|gzi)\.c4gh$/;
/** A line of a CRAI, and one of a FAI, which has a fifth number for FASTQ. */
const INDEX_LINES = [/^-?\d+(?:\t-?\d+){5}$/, /^[^\t]+(?:\t\d+){4,5}$/];

/**
 * Throws Error if an index cannot or must not be written: over an input, over another index without `force`, and over a file
 * that is not an index even with it.
 */
export async function checkOutput(path: string, { force, inputs }: IndexOutputOptions): Promise<void> {
  await checkFolder(path);
  const input = await findSameFile(path, inputs);
  if (input !== undefined) throw new Error(`${path} is the same file as the input ${input}`);
  const target = await stat(path, { bigint: true }).catch(() => undefined);
  if (target !== undefined && !target.isFile()) throw new Error(`${path} is not a regular file`);
  // A dangling link exists too.
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (exists && !force) throw new Error(`${path} exists; use --force to overwrite it`);
  if (target !== undefined && !(await looksLikeIndex(path, target.size))) {
    throw new Error(`${path} exists and is not an index; remove it first`);
  }
}

/** Returns whether a file is empty or begins like a BAI, CSI, TBI, CRAI, FAI, GZI or bigWig. */
async function looksLikeIndex(path: string, size: bigint): Promise<boolean> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(path, { end: HEAD_BYTES - 1 })) pieces.push(piece as Buffer);
  const head = Buffer.concat(pieces);
  if (head.length >= 8 && size === 8n + 16n * head.readBigUInt64LE(0)) return true;
  if (head.length >= 4 && head.readUInt32LE(0) === BIG_WIG_MAGIC) return true;
  if (head.toString('latin1', 0, ENCRYPTED_MAGIC.length) === ENCRYPTED_MAGIC) return ENCRYPTED_INDEX.test(path);
  const data = head[0] === 0x1f && head[1] === 0x8b ? gunzipHead(head) : head;
  const text = data?.toString('latin1');
  if (text === undefined || text === '') return text === '';
  if (MAGICS.some((magic) => text.startsWith(magic))) return true;
  const [first = '', ...others] = text.split('\n');
  // The last line may be incomplete.
  const lines = [first, ...others.slice(0, -1)];
  return INDEX_LINES.some((form) => lines.every((line) => form.test(line)));
}

/** Inflates the start of a gzip file. Returns undefined if it is damaged. */
function gunzipHead(head: Uint8Array): Buffer | undefined {
  try {
    return gunzipSync(head, { finishFlush: zlib.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}
