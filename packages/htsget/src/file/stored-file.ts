import { BgzfError } from '@htskit/bgzf';
import { Crypt4ghError } from '@htskit/crypt4gh';
import { FormatError } from '@htskit/formats';
import { IndexError } from '@htskit/indexes';
import { type ByteRange, type ByteSource, type ReadOptions, type SourceStat, StorageError } from '@htskit/io';
import { companionPathOf } from '@htskit/io/internal';
import { type Datatype, HtsgetError, type HtsgetFormat, type HtsgetQuery } from '@htskit/protocol';

/** Formats that files are stored in. VCFTEXT is made from VCF, and SAM is a header only. */
export type StoredFormat = Exclude<HtsgetFormat, 'SAM' | 'VCFTEXT'>;

/** The URL and headers with which clients fetch bytes of an object from the store itself. */
export interface BlockLocation {
  /** Absolute URL that needs no credentials but `headers`, and is valid for as long as a download takes: presigned, say. */
  readonly url: string;
  /** Sent with the request. They should make it fail if the object has changed: `If-Match`, say. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LocateContext {
  readonly signal: AbortSignal;
  /** The version of the object from its `stat`. The URL must lead to this version. */
  readonly version: string | undefined;
}

/** Returns the location of some bytes of an object. Clients request them with a `Range` header. */
export type Locate = (range: ByteRange, context: LocateContext) => Promise<BlockLocation>;

const COVERAGE_EXTENSION = '.coverage.bw';

/** Returns the path of the bigWig of the depth of an alignment file, which is encrypted if the file is: `a.bam.coverage.bw.c4gh`. */
export function coveragePathOf(path: string): string {
  return companionPathOf(path, COVERAGE_EXTENSION);
}

/** One stored form of an object, with its index if it has one. VCF is bgzipped. */
export interface StoredFile {
  readonly format: StoredFormat;
  readonly data: ByteSource;
  /**
   * Distinguishes the data from every other file, alike in all replicas and after a restart: a path, for example. Block
   * URLs contain a hash of it and do not serve another file that the same id comes to stand for. Without it, block URLs
   * distinguish only versions.
   */
  readonly identity?: string;
  /** A BAI, CSI, TBI or CRAI index. */
  readonly index?: ByteSource;
  /** The bigWig of the depth of reads that is stored beside the data, which need not exist. Only coverage reads it. */
  readonly coverage?: ByteSource;
  /**
   * Whether the file is stored encrypted. `data` is its plaintext all the same. It is answered plain only with
   * `HtsgetOptions.plainDelivery`, and never from the store itself. Default false.
   */
  readonly isEncrypted?: boolean;
  /**
   * Returns the URL at which clients fetch bytes from the store itself. Tickets then hold such URLs for everything that
   * can be sent as stored, and the rest inline. Without it, this service sends everything.
   */
  readonly locate?: Locate;
  /**
   * The headers of the request that the file was found with and is read with, such as the token of its user. The ticket names them
   * as headers of its block URLs, so that `resolve` gets them for each block, too. `data.key` and `index.key` must differ for
   * different values, because they are the keys of caches. Default: none.
   */
  readonly forwarded?: Readonly<Record<string, string>>;
  /** The digests of the plaintext that the store knows. Default: unknown. */
  readonly checksums?: readonly FileChecksum[];
}

/** A digest of a file, in hexadecimal. The type is a name of DRS, such as `sha-256` or `md5`. */
interface FileChecksum {
  readonly type: string;
  readonly checksum: string;
}

/** The formats of the answers, each with the stored formats that it is made from. All but the first need a conversion. */
const ANSWERED_FORMATS: Readonly<
  Record<Datatype, Partial<Record<HtsgetFormat, readonly [StoredFormat, ...StoredFormat[]]>>>
> = {
  reads: { BAM: ['BAM', 'CRAM'], CRAM: ['CRAM'] },
  variants: { VCF: ['VCF', 'BCF'], BCF: ['BCF', 'VCF'], VCFTEXT: ['VCF', 'BCF'] },
};

/** The formats of both datatypes. */
const SOURCES: Partial<Record<HtsgetFormat, readonly StoredFormat[]>> = {
  SAM: ['BAM', 'CRAM'],
  ...ANSWERED_FORMATS.reads,
  ...ANSWERED_FORMATS.variants,
};

/** Whether and how the formats of an object's answers may differ from those of its files. */
export interface FormatOptions {
  /** Whether records are converted between formats. Default true. */
  readonly conversions?: boolean;
}

/** Returns the formats that the service can answer with. */
export function answeredFormats(datatype: Datatype): readonly HtsgetFormat[] {
  return Object.keys(ANSWERED_FORMATS[datatype]) as HtsgetFormat[];
}

/** Returns the formats in which an object with these files can be answered. */
export function availableFormats(
  files: readonly Pick<StoredFile, 'format'>[],
  datatype: Datatype,
  options: FormatOptions = {},
): readonly HtsgetFormat[] {
  return answeredFormats(datatype).filter((format) => findFile(files, { datatype, format }, options) !== undefined);
}

export type FileChoice = Pick<HtsgetQuery, 'datatype' | 'format'>;

/**
 * Returns the file that a format is made from: one of that format, or else one that is converted. Throws `HtsgetError`
 * UnsupportedFormat if there is none.
 */
export function chooseFile(files: readonly StoredFile[], choice: FileChoice, options: FormatOptions = {}): StoredFile {
  const file = findFile(files, choice, options);
  if (file !== undefined) return file;
  const available = availableFormats(files, choice.datatype, options).join(', ') || 'none';
  const message = `${choice.format} is not available for this object; available: ${available}`;
  throw new HtsgetError('UnsupportedFormat', message);
}

/** Throws `HtsgetError` UnsupportedFormat if a format cannot be made from a stored one. */
export function checkAnswerable(stored: StoredFormat, format: HtsgetFormat = stored): void {
  if (SOURCES[format]?.includes(stored) !== true)
    throw new HtsgetError('UnsupportedFormat', `a ${stored} file cannot be answered as ${format}`);
}

/** Whether an answer in a format must be converted from a stored one. */
export function isConverted(stored: StoredFormat, format: HtsgetFormat = stored): boolean {
  return format !== 'SAM' && SOURCES[format]?.[0] !== stored;
}

function findFile<File extends Pick<StoredFile, 'format'>>(
  files: readonly File[],
  { datatype, format }: FileChoice,
  { conversions = true }: FormatOptions,
): File | undefined {
  const sources = format === 'SAM' ? SOURCES.SAM : ANSWERED_FORMATS[datatype][format];
  for (const source of (conversions || format === 'SAM' ? sources : sources?.slice(0, 1)) ?? []) {
    const found = files.find((file) => file.format === source);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns undefined for a source without a version, which cannot be cached. */
export function cacheKey(source: ByteSource, { version }: SourceStat): string | undefined {
  return version === undefined ? undefined : `${source.key}\n${version}`;
}

/** Returns the source's stat. Throws `StorageError` CHANGED if a version is given and the source has another one. */
export async function statVersion(
  source: ByteSource,
  { version, signal }: { readonly version: string | undefined; readonly signal: AbortSignal },
): Promise<SourceStat> {
  // A source that caches its stat reads a new one if the cached version differs.
  const options: ReadOptions = { version, signal };
  const stat = await source.stat(options);
  if (version === undefined || stat.version === version) return stat;
  throw new StorageError('CHANGED', `expected version "${version}", found "${stat.version}"`, { key: source.key });
}

/** Whether an error means that a file or its index is corrupt. */
export function isCorruption(error: unknown): error is BgzfError | FormatError | IndexError | Crypt4ghError {
  const types = [BgzfError, FormatError, IndexError, Crypt4ghError];
  return types.some((type) => error instanceof type);
}

/** Returns the source's stat. A source that caches it reads a new one. */
export function readNewStat(source: ByteSource, { signal }: { readonly signal: AbortSignal }): Promise<SourceStat> {
  const options: ReadOptions = { signal, version: NO_VERSION };
  return source.stat(options);
}

/** Differs from every version. */
const NO_VERSION = '\0';

/** For `catch`: reports a file that was replaced while its ticket was being made as a transient failure. */
export function toTransientError(error: unknown): never {
  if (!(error instanceof StorageError) || error.code !== 'CHANGED') throw error;
  throw new HtsgetError('InternalServerError', 'the file is being replaced', {
    status: 503,
    retryAfterSeconds: 1,
    cause: error,
  });
}
