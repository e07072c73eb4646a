import { type SequenceDigests, sha512t24u, toTrunc512 } from '@htskit/digest';
import type { SourceStat } from '@htskit/io';

/** Keeps what one pass over a file found, so that opening it again needs none. What `save` is given stays readable. */
export interface DigestCache {
  /** What was saved last; undefined where nothing was. */
  load(): Promise<Uint8Array | undefined>;
  save(bytes: Uint8Array): Promise<void>;
  /** Told, with the cause, that nothing could be loaded or saved. The digests are computed then, and opening goes on. */
  onError(error: Error): void;
}

/** How what was found in a file of one kind is kept as JSON. */
export interface KeptCodec<T> {
  /** Other kinds are not looked at. */
  readonly kind: string;
  toContent(found: T): object;
  /** Throws for what `toContent` did not make. */
  fromContent(content: JsonObject): T;
}

type JsonObject = Readonly<Record<string, unknown>>;

interface KeepOptions<T> {
  /** Of the file; without a version nothing is kept. */
  readonly stat: SourceStat;
  readonly codec: KeptCodec<T>;
  readonly find: () => Promise<T>;
}

/** Of the layout below. Files of other versions are replaced. */
const VERSION = 1;

const MD5 = /^[0-9a-f]{32}$/;
const SQ_DIGEST = /^SQ\.[A-Za-z0-9_-]{32}$/;

/** What was kept for this state of the file, and otherwise what `find` finds, which is kept then. */
export async function findOnce<T>(keeper: DigestCache | undefined, options: KeepOptions<T>): Promise<T> {
  const { stat, find } = options;
  if (keeper === undefined || stat.version === undefined) return find();
  const kept = await loadKept(keeper, options);
  if (kept !== undefined) return kept;
  const found = await find();
  try {
    await keeper.save(formatKept(found, options));
  } catch (cause) {
    keeper.onError(new Error('the digests cannot be kept', { cause }));
  }
  return found;
}

async function loadKept<T>(keeper: DigestCache, options: KeepOptions<T>): Promise<T | undefined> {
  try {
    return parseKept(await keeper.load(), options);
  } catch (cause) {
    keeper.onError(new Error('the digests that were kept cannot be used', { cause }));
    return undefined;
  }
}

/** The checksum is that of the content as it is written: damage that leaves valid JSON must not change a digest. */
function formatKept<T>(found: T, { stat: { size, version }, codec }: KeepOptions<T>): Uint8Array {
  const content = JSON.stringify({ kind: codec.kind, size, version, ...codec.toContent(found) });
  const encoder = new TextEncoder();
  const checksum = sha512t24u(encoder.encode(content));
  return encoder.encode(`{"htskitDigests":${VERSION},"checksum":"${checksum}","content":${content}}\n`);
}

/** Undefined for what was kept of another state of the file, or in another version. Throws for what is damaged. */
function parseKept<T>(bytes: Uint8Array | undefined, { stat, codec }: KeepOptions<T>): T | undefined {
  if (bytes === undefined) return undefined;
  const { htskitDigests, checksum, content } = toObject(JSON.parse(new TextDecoder().decode(bytes)));
  if (typeof htskitDigests === 'number' && htskitDigests !== VERSION) return undefined;
  const { kind, size, version, ...rest } = toObject(content);
  if (sha512t24u(new TextEncoder().encode(JSON.stringify(content))) !== checksum) {
    throw new Error('the checksum is another');
  }
  if (kind !== codec.kind || size !== stat.size || version !== stat.version) return undefined;
  return codec.fromContent(rest);
}

function toObject(value: unknown): JsonObject {
  if (typeof value === 'object' && value !== null) return value as JsonObject;
  throw new Error('expected an object');
}

/** Of one sequence, as it is kept: TRUNC512 follows from the `SQ.` digest. */
export function toKeptDigests({ length, md5, sha512t24u }: SequenceDigests): readonly unknown[] {
  return [length, md5, sha512t24u];
}

/** Throws for what `toKeptDigests` did not make. */
export function parseKeptDigests(value: unknown): SequenceDigests {
  const [length, md5, digest] = toList(value);
  const isLength = typeof length === 'number' && Number.isSafeInteger(length) && length >= 0;
  if (!isLength || typeof md5 !== 'string' || !MD5.test(md5) || typeof digest !== 'string' || !SQ_DIGEST.test(digest)) {
    throw new Error('expected the length and digests of a sequence');
  }
  return { length, md5, sha512t24u: digest, trunc512: toTrunc512(digest) };
}

/** Throws for what is no list. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new Error('expected a list');
}
