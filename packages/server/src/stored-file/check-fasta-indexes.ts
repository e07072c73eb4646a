import { open, readFile, stat } from 'node:fs/promises';
import { BgzfError, parseGzi } from '@htskit/bgzf';
import { baseOffset, IndexError, parseFai } from '@htskit/indexes';

/**
 * Throws Error if the `.fai` or `.gzi` beside a FASTA refers to bytes past its end: the FASTA is truncated then, or the index
 * is that of another file. An index that cannot be read shows nothing, and a pipe has none.
 */
export async function checkFastaIndexes(path: string): Promise<void> {
  const stats = await stat(path);
  if (!stats.isFile()) return;
  const { size } = stats;
  const gzi = await readBeside(`${path}.gzi`, parseGzi);
  checkOffset(gzi?.coffsets.at(-1), { size, index: '.gzi' });
  // The offsets in the .fai of a compressed file are those of its text.
  if (await isGzip(path)) return;
  const fai = (await readBeside(`${path}.fai`, parseFai)) ?? [];
  for (const record of fai) {
    if (record.length > 0) checkOffset(baseOffset(record, record.length - 1), { size, index: '.fai' });
  }
}

function checkOffset(
  offset: number | undefined,
  { size, index }: { readonly size: number; readonly index: '.fai' | '.gzi' },
): void {
  if (offset === undefined || offset < size) return;
  throw new Error(
    `truncated, or its ${index} is of another file: the ${index} refers to byte ${offset}, past the end (${size} bytes); ` +
      `copy the file again, or delete the ${index}`,
  );
}

async function readBeside<Index>(path: string, parse: (bytes: Uint8Array) => Index): Promise<Index | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  try {
    return parse(bytes);
  } catch (error) {
    if (error instanceof BgzfError || error instanceof IndexError) return undefined;
    throw error;
  }
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}
