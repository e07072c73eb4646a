import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ClientError, RefgetClient } from '@htskit/client';
import type { CramReferenceSource } from '@htskit/htsget';
import { readChunks } from '@htskit/io';
import { HtsgetError, RefgetError } from '@htskit/protocol';
import type { SequenceCatalogue } from '@htskit/refget';
import { ReferenceFiles } from './reference-files.js';

/** The sources of reference bases that the sequences of the server lack. */
export interface FurtherReferences {
  /** The URL of a remote service that an MD5 is appended to. */
  readonly refget?: string;
  /** Further hosts to which the service may redirect. Default: none. */
  readonly redirectHosts?: readonly string[];
  /** A folder for whole sequences, each in a file that is named with its MD5. Default: only the bases in use are requested. */
  readonly cache?: string;
  /** The folders whose sequence files `UR` may name. Default: `UR` is ignored. */
  readonly folders?: readonly string[];
}

/** The bases [start, end) of the sequence with an MD5. */
interface BasesRequest {
  readonly md5: string;
  readonly start: number;
  readonly end: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Creates the source of the reference bases of CRAM files: the sequences that the server has, then a remote service, both by
 * MD5, and then the files that `UR` names in some folders.
 */
export function createReferenceSource(
  sequences: Pick<SequenceCatalogue, 'find'>,
  { refget, redirectHosts = [], cache, folders }: FurtherReferences = {},
): CramReferenceSource {
  const service = refget === undefined ? undefined : new RemoteSequences(refget, { cache, redirectHosts });
  const files = folders && new ReferenceFiles(folders);
  return async (request) => {
    const { md5, length, start, end, signal } = request;
    if (md5 === undefined) return files?.read(request);
    let pending: RefgetError | undefined;
    try {
      const [sequence] = await sequences.find({ kind: 'md5', digest: md5 });
      if (sequence?.metadata.length === length) return await sequence.read({ start, end }, { signal });
    } catch (error) {
      // Sequences are still being digested.
      if (!(error instanceof RefgetError)) throw error;
      pending = error;
    }
    const bases = (await service?.read({ md5, start, end, signal })) ?? (await files?.read(request));
    if (bases === undefined && pending !== undefined) throw toUnavailable('are still being read', pending);
    return bases;
  };
}

const RETRY_AFTER_SECONDS = 5;

function toUnavailable(reason: string, cause: Error): HtsgetError {
  const options = { status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS, cause };
  return new HtsgetError('InternalServerError', `the reference sequences ${reason}`, options);
}

/** Reads sequences from a refget service, by way of files if there is a cache. */
class RemoteSequences {
  readonly #client: RefgetClient;
  readonly #cache: string | undefined;
  /** The downloads in progress by MD5, which their readers share. */
  readonly #downloads = new Map<string, Promise<boolean>>();

  constructor(refget: string, { cache, redirectHosts }: Pick<FurtherReferences, 'cache' | 'redirectHosts'>) {
    this.#client = new RefgetClient({ servers: [refget.replace(/\/sequence\/*$/, '')], redirectHosts });
    this.#cache = cache;
  }

  /** Returns the bases, or undefined if the service lacks the sequence. Throws `HtsgetError` with status 503 if it fails. */
  async read({ md5, start, end, signal }: BasesRequest): Promise<Uint8Array | undefined> {
    const path = this.#cache === undefined ? undefined : join(this.#cache, md5);
    const cached = path === undefined ? undefined : await readFileRange(path, start, end);
    if (cached !== undefined) return cached;
    // The first base is requested to see whether the service has the sequence.
    const isProbe = end - start === 1;
    if (path === undefined || isProbe) return orMissing(() => this.#client.sequence(md5, { start, end, signal }));
    return (await this.#download(md5, path)) ? readFileRange(path, start, end) : undefined;
  }

  /** Downloads a whole sequence for all its readers. Returns false if the service lacks it. */
  #download(md5: string, path: string): Promise<boolean> {
    const known = this.#downloads.get(md5);
    if (known !== undefined) return known;
    const download = orMissing(() => this.#write(md5, path)).then((isWritten) => isWritten === true);
    this.#downloads.set(md5, download);
    download.finally(() => this.#downloads.delete(md5)).catch(() => undefined);
    return download;
  }

  /** Writes a verified sequence to a file that appears when it is complete. */
  async #write(md5: string, path: string): Promise<true> {
    const part = `${path}.${process.pid}.part`;
    await mkdir(join(path, '..'), { recursive: true });
    try {
      const bases = await this.#client.stream(md5);
      await pipeline(readChunks(bases), createWriteStream(part));
      await rename(part, path);
      return true;
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }
}

/** Returns undefined for a sequence that the service lacks. */
async function orMissing<Value>(request: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error instanceof ClientError ? toUnavailable('cannot be fetched', error) : error;
  }
}

/** Reads bytes of a file. Returns undefined for a file that does not exist. */
async function readFileRange(path: string, start: number, end: number): Promise<Uint8Array | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(end - start), 0, end - start, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
