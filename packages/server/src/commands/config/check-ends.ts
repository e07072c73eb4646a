import { readEofMarker } from '@htskit/bgzf';
import { planFile } from '@htskit/htsget';
import { describeError } from '../../errors.js';
import type { OpenIdentity } from '../../stored-file/input-file.js';
import { openStoredFile } from '../../stored-file/open-stored-file.js';

/** A file of an htsget object on this machine. */
export interface LocalObjectFile {
  readonly path: string;
  /** The id of the object with the format of the file. */
  readonly name: string;
}

/** A file that is truncated, may be truncated, or cannot be read. */
export interface SuspectFile {
  readonly name: string;
  readonly reason: string;
}

/** Returns the files that do not end as they should. Of a BGZF file with an EOF marker, no more than that is read. */
export async function findSuspectFiles(
  files: readonly LocalObjectFile[],
  openIdentity: OpenIdentity,
): Promise<SuspectFile[]> {
  const suspects: SuspectFile[] = [];
  for (const { path, name } of files) {
    const reason = await findFault(path, openIdentity).catch(describeError);
    if (reason !== undefined) suspects.push({ name, reason });
  }
  return suspects;
}

async function findFault(path: string, openIdentity: OpenIdentity): Promise<string | undefined> {
  const file = await openStoredFile(path, { openIdentity });
  const { stored, stat, loader } = file;
  try {
    if (stored.format !== 'CRAM' && (await readEofMarker(stored.data, stat.size))) return undefined;
    let reason: string | undefined;
    const onWarning = ({ message }: Error): void => {
      reason = message;
    };
    await planFile(stored, {}, { stat, loader, onWarning });
    return reason;
  } finally {
    await file.close();
  }
}
