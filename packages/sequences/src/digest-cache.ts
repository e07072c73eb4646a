import { type SequenceDigests, sha512t24u, toTrunc512 } from '@htskit/digest';
import type { SourceStat } from '@htskit/io';

/**
 * Stores the digests and indexes of one file, so that reopening it does not read it again. The saved bytes are JSON that
 * names the size and version of the file: a result for another state of the file is ignored and replaced.
 *
 * @example
 * const path = 'genome.fa.digests.json';
 * const digestCache: DigestCache = {
 *   load: () => readFile(path).catch(() => undefined),
 *   save: (bytes) => writeFile(path, bytes),
 *   onError: console.error,
 * };
 * const sequences = await openFasta({ data: fileSource('genome.fa'), digestCache });
 */
export interface DigestCache {
  /** Returns the bytes that were saved last, or undefined if there are none. */
  load(): Promise<Uint8Array | undefined>;
  save(bytes: Uint8Array): Promise<void>;
  /** Called, with the cause, if loading or saving fails. The digests are then computed from the file. */
  onError(error: Error): void;
}

/** Converts what was found in a file of one kind to JSON and back. */
export interface DigestCodec<T> {
  /** Saved results of other kinds are ignored. */
  readonly kind: string;
  toContent(found: T): object;
  /** Throws for content that `toContent` did not write. */
  fromContent(content: JsonObject): T;
}

type JsonObject = Readonly<Record<string, unknown>>;

interface CachedComputation<T> {
  /** State of the file. Nothing is cached for a source without versions. */
  readonly stat: SourceStat;
  readonly codec: DigestCodec<T>;
  readonly compute: () => Promise<T>;
}

/** Version of the JSON layout. Files of other versions are replaced. */
const VERSION = 1;

const MD5 = /^[0-9a-f]{32}$/;
const SQ_DIGEST = /^SQ\.[A-Za-z0-9_-]{32}$/;

/** Returns the saved result for this state of the file, otherwise computes and saves it. */
export async function loadOrCompute<T>(cache: DigestCache | undefined, computation: CachedComputation<T>): Promise<T> {
  const { stat, compute } = computation;
  if (cache === undefined || stat.version === undefined) return compute();
  const saved = await load(cache, computation);
  if (saved !== undefined) return saved;
  const found = await compute();
  try {
    await cache.save(format(found, computation));
  } catch (cause) {
    cache.onError(new Error('cannot save the digests', { cause }));
  }
  return found;
}

async function load<T>(cache: DigestCache, computation: CachedComputation<T>): Promise<T | undefined> {
  try {
    const bytes = await cache.load();
    return bytes === undefined ? undefined : parse(bytes, computation);
  } catch (cause) {
    cache.onError(new Error('cannot use the saved digests', { cause }));
    return undefined;
  }
}

/** The checksum covers the content as it is written, because damage that leaves valid JSON must not change a digest. */
function format<T>(found: T, { stat: { size, version }, codec }: CachedComputation<T>): Uint8Array {
  const content = JSON.stringify({ kind: codec.kind, size, version, ...codec.toContent(found) });
  const encoder = new TextEncoder();
  const checksum = sha512t24u(encoder.encode(content));
  return encoder.encode(`{"htskitDigests":${VERSION},"checksum":"${checksum}","content":${content}}\n`);
}

/** Returns undefined for a result of another state of the file or of another version. Throws for damaged bytes. */
function parse<T>(bytes: Uint8Array, { stat, codec }: CachedComputation<T>): T | undefined {
  const { htskitDigests, checksum, content } = expectObject(JSON.parse(new TextDecoder().decode(bytes)));
  if (typeof htskitDigests === 'number' && htskitDigests !== VERSION) return undefined;
  const { kind, size, version, ...rest } = expectObject(content);
  if (sha512t24u(new TextEncoder().encode(JSON.stringify(content))) !== checksum) {
    throw new Error('the checksum does not match');
  }
  if (kind !== codec.kind || size !== stat.size || version !== stat.version) return undefined;
  return codec.fromContent(rest);
}

function expectObject(value: unknown): JsonObject {
  if (typeof value === 'object' && value !== null) return value as JsonObject;
  throw new Error('expected an object');
}

/** Returns the digests of one sequence as they are saved. TRUNC512 follows from the `SQ.` digest. */
export function toSavedDigests({ length, md5, sha512t24u }: SequenceDigests): readonly unknown[] {
  return [length, md5, sha512t24u];
}

/** Throws for a value that `toSavedDigests` did not return. */
export function parseSavedDigests(value: unknown): SequenceDigests {
  const [length, md5, digest] = expectList(value);
  const isLength = typeof length === 'number' && Number.isSafeInteger(length) && length >= 0;
  if (!isLength || typeof md5 !== 'string' || !MD5.test(md5) || typeof digest !== 'string' || !SQ_DIGEST.test(digest)) {
    throw new Error('expected the length and digests of a sequence');
  }
  return { length, md5, sha512t24u: digest, trunc512: toTrunc512(digest) };
}

/** Throws for a value that is not an array. */
export function expectList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new Error('expected a list');
}
