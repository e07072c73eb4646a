import { fileURLToPath } from 'node:url';
import type { CramReferenceSource } from '@htskit/formats';
import { StorageError } from '@htskit/io';
import { openReference } from '@htskit/records/internal';
import { openReferencePath, type ReferenceVariables } from './reference-path.js';

/** The places of the reference bases of CRAM files. */
export interface ReferenceSearch {
  /** The value of `--reference`. */
  readonly location: string | undefined;
  /** Whether the header of the file may name local files. A file from elsewhere may name any. */
  readonly isLocal: boolean;
  readonly environment?: ReferenceVariables;
}

/**
 * Creates the source of the reference bases that a command needs. It looks where samtools does, in this order: at the given location,
 * in `REF_CACHE` and `REF_PATH`, and in the local file that `UR` names. Throws what opening the given location throws.
 */
export async function openReferenceSearch({
  location,
  isLocal,
  environment = process.env,
}: ReferenceSearch): Promise<CramReferenceSource> {
  const given = location === undefined ? [] : [await openReference(location)];
  const named = isLocal ? [openNamedFiles()] : [];
  const sources = [...given, ...openReferencePath(environment), ...named];
  return async (request) => {
    let failure: unknown;
    for (const source of sources) {
      try {
        const bases = await source(request);
        if (bases !== undefined) return bases;
      } catch (error) {
        request.signal?.throwIfAborted();
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    return undefined;
  };
}

/** Returns the source of the bases in the sequence files that `UR` names (SAMv1 §1.3). */
function openNamedFiles(): CramReferenceSource {
  const files = new Map<string, Promise<CramReferenceSource | undefined>>();
  return async (request) => {
    const path = request.uri === undefined ? undefined : toPath(request.uri);
    if (path === undefined) return undefined;
    const file = files.get(path) ?? openIfExists(path);
    files.set(path, file);
    return (await file)?.(request);
  };
}

/** Returns the path that a URI names, which samtools takes for a path unless it is a URL; undefined for other URLs. */
function toPath(uri: string): string | undefined {
  if (/^file:\/\//i.test(uri)) return URL.canParse(uri) ? fileURLToPath(uri) : undefined;
  return /^[a-z][a-z\d+.-]*:\/\//i.test(uri) ? undefined : uri.replace(/^file:/i, '');
}

async function openIfExists(path: string): Promise<CramReferenceSource | undefined> {
  try {
    return await openReference(path);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
