import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError, writeAtomically } from '@htskit/catalogue/internal';
import { createMd5 } from '@htskit/digest';
import type { CramReferenceRequest, CramReferenceSource } from '@htskit/formats';
import { createTransport, HttpError, readBytes, sendRequest, toServerError, withRetries } from '@htskit/http';
import { LruCache, StorageError, toHex } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';

/** An element of a search path: a URL, whose colons do not end it, or a path. A doubled colon stands for a colon. */
const ELEMENT = /(?:URL=)?(?:https?|ftp):\/\/[^/:]*(?::\d+)?(?:::|[^:])*|(?:::|[^:])+/gi;
/** Bases of downloaded sequences that are kept in memory: those of two long chromosomes. */
const KEPT_BASES = 2 ** 29;

/** Retries of a download. The elements after a server that fails are tried, too. */
const RETRIES = 1;

/** A request for a sequence whose MD5 is known. */
interface KnownRequest extends CramReferenceRequest {
  readonly md5: string;
}

/** The environment variables of samtools that say where sequences are found by their MD5. */
export interface ReferenceVariables {
  readonly REF_PATH?: string;
  readonly REF_CACHE?: string;
}

/**
 * Returns where samtools looks for sequences by their MD5, in its order: the file that `REF_CACHE` names, then each element of
 * `REF_PATH`, which may be a URL. There is no default. Sequences from URLs are verified, and written to `REF_CACHE`.
 */
export function openReferencePath({ REF_PATH = '', REF_CACHE = '' }: ReferenceVariables): CramReferenceSource[] {
  const cache = REF_CACHE === '' ? undefined : REF_CACHE;
  const downloads = new LruCache<Uint8Array | undefined>({ maxWeight: KEPT_BASES });
  const readUrl = async (url: string, request: KnownRequest): Promise<Uint8Array | undefined> => {
    const sequence = await downloads.load(url, async () => {
      const value = await download(url, request);
      if (value !== undefined && cache !== undefined) await writeCached(expandPath(cache, request.md5), value);
      return { value, weight: value?.length ?? 0 };
    });
    return sequence?.subarray(request.start, request.end);
  };
  return [...(cache === undefined ? [] : [cache]), ...splitSearchPath(REF_PATH)].map((element) => async (request) => {
    const { md5 } = request;
    if (md5 === undefined) return undefined;
    const place = expandPath(element, md5);
    return /^https?:/i.test(place) ? readUrl(place, { ...request, md5 }) : readFileRange(place, request);
  });
}

/** Returns the elements of a search path, which colons separate. */
export function splitSearchPath(path: string): readonly string[] {
  return Array.from(path.matchAll(ELEMENT), ([element]) => element.replace(/^URL=/, '').replaceAll('::', ':'));
}

/**
 * Returns where the sequence with an MD5 is: `%2s` stands for its next two digits and `%s` for all others. Digits that are left follow
 * a slash.
 */
export function expandPath(template: string, md5: string): string {
  let rest = md5;
  const place = template.replace(/\/$/, '').replace(/%(\d*)s/g, (_, count: string) => {
    const digits = rest.slice(0, Number(count) || rest.length);
    rest = rest.slice(digits.length);
    return digits;
  });
  return rest === '' ? place : `${place}/${rest}`;
}

/** Reads bytes of a file that has nothing but bases. Returns undefined if it does not exist or is shorter than the sequence. */
async function readFileRange(path: string, { length, start, end, signal }: CramReferenceRequest) {
  const file = fileSource(path);
  try {
    const { size } = await file.stat({ signal });
    return size < length ? undefined : await file.read({ start, end }, { signal });
  } catch (error) {
    if (error instanceof StorageError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  } finally {
    await file.close();
  }
}

/** Downloads a whole sequence. Returns undefined if the server lacks it or sends another one. */
async function download(url: string, { md5, length, signal }: KnownRequest): Promise<Uint8Array | undefined> {
  const transport = createTransport({ signal, retries: RETRIES });
  try {
    const bases = await withRetries(transport, async () => {
      const response = await sendRequest(transport, { url });
      if (response.status !== 200) throw await toServerError(response, transport);
      return readBytes(response, length, transport);
    });
    const hasher = createMd5();
    hasher.update(bases);
    return toHex(hasher.digest()) === md5 ? bases : undefined;
  } catch (error) {
    const isAnother = error instanceof HttpError && (error.code === 'TOO_LARGE' || error.status === 404);
    if (isAnother) return undefined;
    throw error;
  }
}

/** Writes a sequence to the cache. A cache that cannot be written is not used. */
async function writeCached(path: string, bases: Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeAtomically(path, bases);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
