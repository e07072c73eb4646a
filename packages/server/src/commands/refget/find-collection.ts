import { readFile, stat } from 'node:fs/promises';
import { isStoreFolder, openSequences, type WatchedSequences } from '@htskit/catalogue/internal';
import { ClientError } from '@htskit/client';
import { createTransport, readBytes, sendRequest, toServerError } from '@htskit/http';
import {
  type CollectionCatalogue,
  type ComparedCollection,
  parseLocalCollection,
  sourceCollections,
  toComparedCollection,
} from '@htskit/refget';
import { type CharacterPolicy, DigestPool, openSequenceStore } from '@htskit/sequences';
import { BlockCache } from '@htskit/storage/cache';
import { parseConfig } from '../../config/parse-config.js';
import { toServeOptions } from '../../config/serve-options.js';
import { ofFile, UsageError } from '../../errors.js';
import { STDIN } from '../../files/standard-streams.js';
import { openRemote } from '../../runtime/service/served-files.js';
import { parseServiceUrl } from '../../service-url.js';
import { toObjectStore } from '../../stored-file/object-store.js';
import { startDigestProgress } from '../../terminal/progress.js';
import { digestFileCollection, isRgstoreFolder, log } from '../digest/digest-file.js';
import { requestHeaders, takeCredentials } from '../url-request.js';

export interface FindCollectionOptions {
  /** The places to look digests up: services, stores, files and configurations. */
  readonly sources: readonly string[];
  readonly characters: CharacterPolicy;
  /** Request headers, each as `Name: value`. */
  readonly headerLines: readonly string[];
  readonly tokenFile?: string;
  readonly signal: AbortSignal;
}

const DIGEST = /^[\w-]{32}$/;
const CONFIGURATION = /\.ya?ml$/;
const HTTP = /^(?:https?|htsget):\/\//i;
const S3 = /^s3:\/\//;
/** The maximum number of bytes of the JSON of a collection: about 1,000,000 sequences. */
const MAX_COLLECTION_BYTES = 2 ** 28;

/**
 * Returns the collection that an argument of the command line names: a FASTA or 2bit file, a store with one collection, the URL
 * of a collection, or a digest that one of the sources has. Throws Error with the argument.
 */
export async function findCollection(text: string, options: FindCollectionOptions): Promise<ComparedCollection> {
  if (HTTP.test(text)) return fetchCollection(text, options);
  try {
    if (text === STDIN) return await digestFasta(text, options);
    if (S3.test(text)) return await onlyCollection(await openStore(text));
    if (DIGEST.test(text) && !(await exists(text))) return await findDigest(text, options);
    const isFolder = (await stat(text)).isDirectory();
    if (isFolder && (await isStoreFolder(text))) return await onlyCollection(await openStore(text));
    if (text.endsWith('.2bit') || (isFolder && (await isRgstoreFolder(text)))) {
      return await withServed(text, options, onlyCollection);
    }
    return await digestFasta(text, options);
  } catch (error) {
    throw ofFile(text, error);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function digestFasta(path: string, { characters, signal }: FindCollectionOptions): Promise<ComparedCollection> {
  const pool = new DigestPool();
  try {
    return toComparedCollection(await digestFileCollection(path, { pool, characters, signal }));
  } finally {
    await pool.close();
  }
}

async function openStore(path: string): Promise<CollectionCatalogue> {
  return sourceCollections((await openSequenceStore(toObjectStore(path))).collections);
}

async function onlyCollection(collections: CollectionCatalogue): Promise<ComparedCollection> {
  const { digests, total } = await collections.list({ filters: [], start: 0, limit: 1 });
  const [digest] = digests;
  const found = digest === undefined ? undefined : await collections.find(digest);
  if (found === undefined) throw new Error('has no sequence collection');
  if (total > 1) throw new Error(`has ${total} collections; give the digest of one, and this store with --in`);
  return toComparedCollection(found);
}

/** Looks a digest up in one source after another. */
async function findDigest(digest: string, options: FindCollectionOptions): Promise<ComparedCollection> {
  const { sources } = options;
  if (sources.length === 0) {
    throw new Error('no such file or folder; if it is the digest of a collection, say where to find it with --in');
  }
  for (const source of sources) {
    const found = await findIn(source, digest, options).catch((error: unknown) => {
      throw HTTP.test(source) ? error : ofFile(source, error);
    });
    if (found !== undefined) return found;
  }
  throw new Error(`no collection with this digest in ${sources.map(withoutSecrets).join(', ')}`);
}

async function findIn(
  source: string,
  digest: string,
  options: FindCollectionOptions,
): Promise<ComparedCollection | undefined> {
  if (HTTP.test(source)) {
    const base = parseServiceUrl(source);
    base.pathname = `${base.pathname.replace(/\/+$/, '')}/collection/${digest}`;
    return fetchIfFound(base.href, options);
  }
  const find = async (collections: CollectionCatalogue): Promise<ComparedCollection | undefined> => {
    const found = await collections.find(digest);
    return found && toComparedCollection(found);
  };
  if (S3.test(source) || (await isStoreFolder(source))) return find(await openStore(source));
  return withServed(source, options, find);
}

/** Opens what `htskit serve` would serve of a path or a configuration, and waits for its digests. */
async function withServed<Result>(
  source: string,
  { characters, signal }: FindCollectionOptions,
  use: (collections: CollectionCatalogue) => Promise<Result>,
): Promise<Result> {
  const sequences = await openServed(source, characters);
  // Ends the computation of digests, and with it the wait for them.
  const stop = (): void => void sequences.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    await sequences.settled();
    signal.throwIfAborted();
    return await use(sequences.collections);
  } finally {
    signal.removeEventListener('abort', stop);
    await sequences.close();
  }
}

async function openServed(source: string, characters: CharacterPolicy): Promise<WatchedSequences> {
  const isConfiguration = CONFIGURATION.test(source);
  const { env: environment } = process;
  const { refget, s3, stores } = isConfiguration
    ? parseConfig(await readFile(source, 'utf8'), { file: source, environment }).config
    : {};
  const flags = { paths: isConfiguration ? [] : [source] };
  const options = await toServeOptions({ config: { refget, s3, stores }, file: source, flags, environment });
  const warn = (message: string): void => log('htskit', message);
  return openSequences({
    ...options,
    characters: options.characters ?? characters,
    locations: options.sequenceLocations ?? [],
    storage: openRemote(options, { cache: new BlockCache({ maxBytes: 0 }), presignSeconds: 1 }),
    log: warn,
    startProgress: (name, byteLength) => startDigestProgress(name, byteLength, warn),
  });
}

async function fetchCollection(text: string, options: FindCollectionOptions): Promise<ComparedCollection> {
  const found = await fetchIfFound(text, options);
  if (found === undefined) throw new Error(`${withoutSecrets(text)}: no such collection`);
  return found;
}

/** Fetches level 2 of a collection. Returns undefined for HTTP 404. Throws UsageError, ClientError and Error. */
async function fetchIfFound(text: string, options: FindCollectionOptions): Promise<ComparedCollection | undefined> {
  const { headerLines: lines, tokenFile, signal } = options;
  const url = parseServiceUrl(text);
  const credentials = takeCredentials(url);
  url.searchParams.set('level', '2');
  const expected = /\/collection\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (expected === undefined) throw new UsageError('expected the URL of a collection: https://HOST/collection/DIGEST');
  const originHeaders = await requestHeaders({ lines, tokenFile, credentials, environment: process.env });
  const transport = createTransport({ signal }, ({ code, message, ...details }) => {
    return new ClientError(code === 'INVALID_REQUEST' ? 'INVALID_QUERY' : code, message, details);
  });
  const headers = { accept: 'application/json' };
  const response = await sendRequest(transport, { url: url.href, headers, originHeaders });
  if (response.status !== 200) {
    const error = await toServerError(response, transport);
    if (response.status === 404) return undefined;
    throw error;
  }
  const bytes = await readBytes(response, MAX_COLLECTION_BYTES, transport);
  const collection = await parseLocalCollection(new TextDecoder().decode(bytes), signal);
  if (collection.digest !== expected) {
    throw new Error(`${withoutSecrets(text)}: the service answered with another collection`);
  }
  return collection;
}

/** Returns a source as messages may show it: a URL without its credentials and query. */
export function withoutSecrets(source: string): string {
  if (!HTTP.test(source)) return source;
  const { origin, pathname } = parseServiceUrl(source);
  return `${origin}${pathname}`;
}
