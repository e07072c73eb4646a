import { createReadStream } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { checkFolder } from '../../files/replace-file.js';
import { findSameFile } from '../../same-file.js';

export interface IndexOutputOptions {
  /** Overwrite an index. */
  readonly force: boolean;
  /** Files to be indexed, which nothing overwrites. */
  readonly inputs: readonly string[];
}

/** Bytes that tell an index from data. */
const HEAD_BYTES = 4096;
const MAGICS = ['BAI\u0001', 'CSI\u0001', 'TBI\u0001'];
/** A line of CRAI, and one of FAI, which has a fifth number for FASTQ. */
const INDEX_LINES = [/^-?\d+(?:\t-?\d+){5}$/, /^[^\t]+(?:\t\d+){4,5}$/];

/**
 * Throws Error where an index cannot be written, or must not be: over an input, over an index unless it is forced, and over
 * what is no index even then.
 */
export async function checkOutput(path: string, { force, inputs }: IndexOutputOptions): Promise<void> {
  await checkFolder(path);
  const input = await findSameFile(path, inputs);
  if (input !== undefined) throw new Error(`${path} is ${input}, which is to be indexed`);
  const target = await stat(path, { bigint: true }).catch(() => undefined);
  if (target !== undefined && !target.isFile()) throw new Error(`${path} is no file that could be overwritten`);
  // A link that leads nowhere is there, too.
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (exists && !force) throw new Error(`${path} exists: --force overwrites it`);
  if (target !== undefined && !(await looksLikeIndex(path, target.size))) {
    throw new Error(`${path} does not look like an index: not even --force overwrites it`);
  }
}

/** Whether a file is empty, or begins as an index does: BAI, CSI, TBI, CRAI, FAI or GZI. */
async function looksLikeIndex(path: string, size: bigint): Promise<boolean> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(path, { end: HEAD_BYTES - 1 })) pieces.push(piece as Buffer);
  const head = Buffer.concat(pieces);
  if (head.length >= 8 && size === 8n + 16n * head.readBigUInt64LE(0)) return true;
  const data = head[0] === 0x1f && head[1] === 0x8b ? gunzipHead(head) : head;
  const text = data?.toString('latin1');
  if (text === undefined || text === '') return text === '';
  if (MAGICS.some((magic) => text.startsWith(magic))) return true;
  const [first = '', ...others] = text.split('\n');
  // The last one may be cut.
  const lines = [first, ...others.slice(0, -1)];
  return INDEX_LINES.some((form) => lines.every((line) => form.test(line)));
}

/** What the beginning of a gzip file inflates to; undefined for one that is damaged. */
function gunzipHead(head: Uint8Array): Buffer | undefined {
  try {
    return gunzipSync(head, { finishFlush: zlib.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}
