import { stat } from 'node:fs/promises';
import type { Decrypt, ObjectCatalogue } from '@htskit/catalogue';
import { indexTypeOf, isStoreBucket, parseLocation, storedKeyOf } from '@htskit/catalogue/internal';
import { type CramReferenceSource, FileLoader, type StoredFile, type StoredFormat } from '@htskit/htsget';
import { asBinning, availableFormats } from '@htskit/htsget/internal';
import type { SequenceCatalogue } from '@htskit/refget';
import { BlockCache } from '@htskit/storage/cache';
import { describeError } from '../../errors.js';
import { createReferenceSource } from '../../runtime/references/reference-source.js';
import { type FileFault, findFaults } from '../../runtime/service/file-faults.js';
import { type FilesOptions, openFiles } from '../../runtime/service/served-files.js';
import type { ListedObject } from '../../runtime/service/visible-objects.js';
import { s3FromEnvironment, toObjectStore } from '../../stored-file/object-store.js';
import { startDigestProgress } from '../../terminal/progress.js';

/** A stored file of an object. */
export interface ListedFile {
  readonly path: string;
  readonly format: StoredFormat;
  readonly isEncrypted?: true;
  /** The size of the plaintext, if the file is encrypted. */
  readonly bytes?: number;
  readonly index?: { readonly path: string; readonly type: string };
  /** The number of references; undefined for a file that cannot be read. */
  readonly references?: number;
  readonly warnings: readonly string[];
}

/** A sequence of a FASTA or 2bit file. */
interface ListedSequence {
  readonly name: string;
  readonly length: number;
  readonly md5: string;
  readonly sha512t24u: string;
}

/** The objects and sequences that a server of a folder would serve. */
export interface FolderListing {
  readonly source: string;
  readonly objects: readonly (ListedObject & { readonly files: readonly ListedFile[] })[];
  readonly sequences: readonly ListedSequence[];
}

export interface ListFolderOptions {
  /** The folder for the digests of sequences. Default: beside each file. */
  readonly cache?: string;
  /** Decrypts the objects that are stored encrypted. Default: they are reported. */
  readonly decrypt?: Decrypt | undefined;
  readonly log: (message: string) => void;
}

/**
 * Lists what `htskit serve` would serve of a folder or file, or of `s3://BUCKET/PREFIX`, after the sequences are digested. Throws
 * system errors for a path that does not exist, and `StorageError` for a bucket that cannot be listed. Faults of files are
 * warnings.
 */
export async function listFolder(path: string, { cache, decrypt, log }: ListFolderOptions): Promise<FolderListing> {
  const startProgress = (name: string, bytes: number): ReturnType<typeof startDigestProgress> =>
    startDigestProgress(name, bytes, log);
  const files = await openFiles({ ...(await locate(path)), cache, decrypt, startProgress, log }, new BlockCache());
  try {
    // Whether CRAM can be answered as BAM depends on the sequences.
    await files.sequences.settled();
    const objects = await listObjects(files);
    const sequences = Array.from(files.sequences.all(), ({ name, metadata: { length, md5, sha512t24u } }) => ({
      name,
      length,
      md5,
      sha512t24u,
    }));
    return { source: path, objects, sequences };
  } finally {
    await files.close();
  }
}

/** Returns where the files are. */
async function locate(
  path: string,
): Promise<Pick<FilesOptions, 'paths' | 'objectLocations' | 'sequenceLocations' | 's3'>> {
  const location = parseLocation(path, '.');
  if (location.kind !== 's3') return { paths: [path] };
  const s3 = s3FromEnvironment();
  if (await isStoreBucket(toObjectStore(path))) return { paths: [], sequenceLocations: [{ location }], s3 };
  return { paths: [], objectLocations: [{ location }], s3 };
}

/** The objects of a listing, and whether their files are on this machine. */
interface ListedFiles {
  readonly objects: ObjectCatalogue;
  readonly sequences: Pick<SequenceCatalogue, 'find'>;
  readonly hasLocal: boolean;
}

async function listObjects({
  objects: catalogue,
  sequences,
  hasLocal,
}: ListedFiles): Promise<FolderListing['objects']> {
  const context = { loader: new FileLoader(), isLocal: hasLocal, reference: createReferenceSource(sequences) };
  const objects: FolderListing['objects'][number][] = [];
  for (const { datatype, id } of await catalogue.list()) {
    const files = (await catalogue.resolve(id, datatype)) ?? [];
    const listed: ListedFile[] = [];
    for (const file of files) listed.push(await describeFile(file, context));
    objects.push({ datatype, id, formats: availableFormats(files, datatype), files: listed });
  }
  return objects;
}

interface DescribeOptions {
  readonly loader: FileLoader;
  readonly isLocal: boolean;
  readonly reference: CramReferenceSource;
}

/** Describes a file, with the same checks as before an answer is made of it. */
async function describeFile(file: StoredFile, { loader, isLocal, reference }: DescribeOptions): Promise<ListedFile> {
  const { format, data, index, isEncrypted } = file;
  const warnings: string[] = [];
  const found = {
    path: storedKeyOf(data),
    format,
    ...(isEncrypted && { isEncrypted }),
    ...(index !== undefined && { index: { path: storedKeyOf(index), type: indexTypeOf(index) } }),
  };
  try {
    const sourceStat = await data.stat();
    const header = await loader.header(file, sourceStat);
    const storedIndex = index === undefined ? undefined : await loader.index(file, sourceStat);
    const faults = await findFaults(file, { loader, reference });
    const isReference = ({ kind }: FileFault): boolean => kind === 'reference-less';
    warnings.push(...faults.filter((fault) => !isReference(fault)).map(({ message }) => message));
    if (index === undefined) warnings.push(`no index: htskit index writes it`);
    else if (isLocal && (await isOlder(storedKeyOf(index), storedKeyOf(data))))
      warnings.push('the index is older than the file');
    warnings.push(...faults.filter(isReference).map(({ message }) => message));
    const { size } = header.header.referenceIds;
    const references = size > 0 ? size : (asBinning(storedIndex)?.tabix?.names.length ?? 0);
    return { ...found, bytes: sourceStat.size, references, warnings };
  } catch (error) {
    return { ...found, warnings: [...warnings, describeError(error)] };
  }
}

async function isOlder(path: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(path), stat(other)]);
  return first.mtimeMs < second.mtimeMs;
}
