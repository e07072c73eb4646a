import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { objectKindOf } from '@htskit/catalogue/internal';
import { coveragePathOf } from '@htskit/htsget/internal';
import { writeCoverageFile } from '../../coverage/coverage-file.js';
import type { PreparedFile, PrepareOptions } from './prepared-file.js';
import { findCompanion, writeCompanion } from './write-companion.js';

/**
 * Makes the coverage of a BAM or CRAM file, unless it has a current one beside it. Returns whether it was made, and undefined for
 * other files, and for an encrypted one: a plain bigWig would show where its reads are.
 */
export async function prepareCoverage(
  file: PreparedFile,
  { signal, workers, reference, temporary }: PrepareOptions,
): Promise<boolean | undefined> {
  const kind = objectKindOf(file.key);
  if (kind?.datatype !== 'reads' || kind.isEncrypted) return undefined;
  const companion = await findCompanion(file, coveragePathOf(file.key), signal);
  if (companion.isCurrent) return false;
  // The parts of a bigWig are not written in order.
  const path = join(temporary, `${randomUUID()}.bw`);
  try {
    await writeCoverageFile(file.stored, path, {
      workers,
      reference,
      signal,
      onWarning: ({ message }) => file.warn(message),
    });
    const { size } = await stat(path);
    return await writeCompanion(file, { size, chunks: createReadStream(path) }, { ...companion, signal });
  } finally {
    await rm(path, { force: true });
  }
}
