import { realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isBelow, isSequenceFile, isSystemError } from '@htskit/catalogue/internal';
import { createMd5, normalizeSequence } from '@htskit/digest';
import type { CramReferenceRequest, CramReferenceSource } from '@htskit/htsget';
import { LruCache, toHex } from '@htskit/io';
import { isEncryptedPath } from '@htskit/io/internal';
import { openReference } from '@htskit/records/internal';
import { fileSource } from '@htskit/storage/file';

/** Files that are kept open. */
const OPEN_FILES = 100;
/** Bases that are digested at once: about 10 ms of work. */
const DIGESTED_BASES = 2 ** 22;

/** A sequence file with the sequences that were verified. */
interface ReferenceFile {
  readonly bases: CramReferenceSource;
  /** By name, length and MD5. */
  readonly isVerified: Map<string, Promise<boolean>>;
}

/**
 * Reads the references of CRAM files from the files that `UR` of their headers names (SAMv1 §1.3). A header from elsewhere may name
 * any file. Therefore only sequence files that are really below one of some folders are opened, and only a sequence of the right
 * length and MD5 is read from them.
 */
export class ReferenceFiles {
  readonly #folders: readonly string[];
  readonly #files = new LruCache<ReferenceFile>({ maxWeight: OPEN_FILES });

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Returns the bases, or undefined unless the URI names an allowed file with the sequence. Throws what reading the file throws. */
  async read(request: CramReferenceRequest): Promise<Uint8Array | undefined> {
    const path = toPath(request.uri);
    const real = path === undefined ? undefined : await this.#allowed(path);
    if (real === undefined) return undefined;
    const file = await this.#open(real);
    return (await isSequence(file, request)) ? file.bases(request) : undefined;
  }

  /** Returns the real path of a sequence file that is below a folder. */
  async #allowed(path: string): Promise<string | undefined> {
    const real = await orMissing(realpath(path));
    if (real === undefined || !isSequenceFile(real) || isEncryptedPath(real)) return undefined;
    for (const folder of this.#folders) {
      const realFolder = await orMissing(realpath(folder));
      if (realFolder !== undefined && isBelow(realFolder, real)) return real;
    }
    return undefined;
  }

  /** Opens a file, anew if it was replaced. */
  async #open(path: string): Promise<ReferenceFile> {
    const { version } = await fileSource(path).stat();
    return this.#files.load(`${path}\n${version}`, async () => {
      const bases = await openReference(path);
      return { value: { bases, isVerified: new Map() }, weight: 1 };
    });
  }
}

/** Returns the absolute path that a URI names, or undefined for anything but a path and a file URL. */
function toPath(uri: string | undefined): string | undefined {
  if (uri === undefined || uri.includes('\0')) return undefined;
  if (uri.startsWith('/')) return uri;
  if (!/^file:\/\/(?:localhost)?\//i.test(uri)) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

async function orMissing(path: Promise<string>): Promise<string | undefined> {
  try {
    return await path;
  } catch (error) {
    // A path that cannot be followed leads to no allowed file.
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Returns whether the file has the sequence with the length and, if the header has it, the MD5. */
function isSequence({ bases, isVerified }: ReferenceFile, request: CramReferenceRequest): Promise<boolean> {
  const { name, length, md5 } = request;
  const key = JSON.stringify([name, length, md5]);
  const known = isVerified.get(key);
  if (known !== undefined) return known;
  const verified = verify(bases, { name, length, md5, uri: undefined, signal: undefined });
  isVerified.set(key, verified);
  verified.catch(() => isVerified.delete(key));
  return verified;
}

async function verify(
  bases: CramReferenceSource,
  request: Omit<CramReferenceRequest, 'start' | 'end'>,
): Promise<boolean> {
  const { length, md5: expected } = request;
  const last = await bases({ ...request, start: Math.max(length - 1, 0), end: length + 1 });
  if (last?.length !== Math.min(length, 1)) return false;
  if (expected === undefined) return true;
  const md5 = createMd5();
  for (let start = 0; start < length; start += DIGESTED_BASES) {
    const part = await bases({ ...request, start, end: Math.min(start + DIGESTED_BASES, length) });
    md5.update(normalizeSequence(part ?? new Uint8Array(0)));
  }
  return toHex(md5.digest()) === expected;
}
