import type { ResolveContext, StoredFile, StoredFormat } from '@htskit/htsget';
import type { ByteSource } from '@htskit/io';
import { ENCRYPTED_EXTENSION } from '@htskit/io/internal';
import type { Datatype } from '@htskit/protocol';

/** The names of files that can be served, for messages. */
export const SERVED_FILES: string =
  'reads are *.bam and *.cram; variants are *.bcf, and *.vcf.gz or *.vcf.bgz compressed by bgzip; ' +
  'sequences are *.fa, *.fasta and *.fna, optionally .gz compressed by bgzip, and *.2bit; ' +
  'each may end with .c4gh, encrypted by Crypt4GH';

/**
 * Returns the plaintext of a file that is stored encrypted, such as `decryptingSource` of `@htskit/crypt4gh` with keys. It is
 * called when a file is opened, and nothing is read before the plaintext is.
 */
export type Decrypt = (stored: ByteSource) => ByteSource;

/**
 * Finds the files of htsget objects. The functions need no `this`, so that `resolve` can be passed to
 * `createHtsgetHandler` as it is.
 */
export interface ObjectCatalogue {
  /**
   * Returns the files of an object, one per format and in the order BAM, CRAM, VCF, BCF, or undefined if there are none.
   * `id` must be decoded and have no empty, `.` or `..` segment, as the handler ensures. Objects whose store decides with the
   * credentials of a user need the context of the request.
   */
  readonly resolve: (
    id: string,
    datatype: Datatype,
    context?: Partial<ResolveContext>,
  ) => Promise<readonly StoredFile[] | undefined>;
  /** Lists the objects that exist now, each once and ordered by id. A bucket lists the objects of its first 1,000 keys. */
  readonly list: () => Promise<readonly ObjectEntry[]>;
  /**
   * Lists the further objects that a store shows to the user of a request. The result must not be shown to anybody else. Default:
   * none.
   */
  readonly listFor?: (context: Partial<ResolveContext>) => Promise<readonly ObjectEntry[]>;
  /** Releases file descriptors. */
  readonly close: () => Promise<void>;
}

/**
 * Combines catalogues. If several have an object of the same id and datatype, the first one wins.
 *
 * @example
 * const { resolve } = joinObjects([await folderObjects('/data'), prefixObjects('archive', bucketObjects({ bucket }))]);
 */
export function joinObjects(catalogues: readonly ObjectCatalogue[]): ObjectCatalogue {
  const listers = catalogues.map(({ listFor }) => listFor).filter((listFor) => listFor !== undefined);
  return {
    async resolve(id, datatype, context) {
      for (const catalogue of catalogues) {
        const files = await catalogue.resolve(id, datatype, context);
        if (files !== undefined) return files;
      }
      return undefined;
    },
    async list() {
      const entries = (await Promise.all(catalogues.map((catalogue) => catalogue.list()))).flat();
      // As in `resolve`, the first one wins: a later entry of a key replaces an earlier one.
      const byName = new Map(entries.reverse().map((entry) => [`${entry.datatype}/${entry.id}`, entry]));
      return [...byName.values()].sort(compareEntries);
    },
    ...(listers.length > 0 && {
      listFor: async (context) => (await Promise.all(listers.map((listFor) => listFor(context)))).flat(),
    }),
    async close() {
      await Promise.all(catalogues.map((catalogue) => catalogue.close()));
    },
  };
}

/** Returns the objects of a catalogue under ids that begin with `prefix` and a slash. */
export function prefixObjects(prefix: string, catalogue: ObjectCatalogue): ObjectCatalogue {
  const withPrefix = (entry: ObjectEntry): ObjectEntry => ({ ...entry, id: `${prefix}/${entry.id}` });
  const { listFor } = catalogue;
  return {
    async resolve(id, datatype, context) {
      const isBelow = id.startsWith(`${prefix}/`);
      return isBelow ? catalogue.resolve(id.slice(prefix.length + 1), datatype, context) : undefined;
    },
    async list() {
      return (await catalogue.list()).map(withPrefix);
    },
    ...(listFor && { listFor: async (context) => (await listFor(context)).map(withPrefix) }),
    close: catalogue.close,
  };
}

/** A stored format of htsget objects and the file extension that marks it. */
export interface ObjectKind {
  readonly datatype: Datatype;
  readonly format: StoredFormat;
  readonly extension: string;
  readonly isEncrypted: boolean;
}

const FORMATS: readonly (readonly [datatype: Datatype, format: StoredFormat, ...extensions: readonly string[]])[] = [
  ['reads', 'BAM', '.bam'],
  ['reads', 'CRAM', '.cram'],
  ['variants', 'VCF', '.vcf.gz', '.vcf.bgz'],
  ['variants', 'BCF', '.bcf'],
];

/**
 * In the order in which the formats of an object are listed. The first file of a format is served: an encrypted one, since it may
 * have been decrypted into the same folder by mistake.
 */
export const OBJECT_KINDS: readonly ObjectKind[] = FORMATS.flatMap(([datatype, format, ...extensions]) => [
  ...extensions.map((each) => ({ datatype, format, extension: each + ENCRYPTED_EXTENSION, isEncrypted: true })),
  ...extensions.map((extension) => ({ datatype, format, extension, isEncrypted: false })),
]);

/** Returns the kinds of files that an object may have. Without `decrypt`, encrypted ones are not served. */
export function kindsOf(datatype: Datatype, decrypt: Decrypt | undefined): readonly ObjectKind[] {
  return OBJECT_KINDS.filter((kind) => kind.datatype === datatype && !(kind.isEncrypted && decrypt === undefined));
}

/** The reason why an encrypted file is not served without a key. */
export const NO_KEY = 'it is encrypted by Crypt4GH, and there is no key; see crypt4gh.keys of the configuration';

/** An htsget object as it is listed. */
export interface ObjectEntry {
  readonly id: string;
  readonly datatype: Datatype;
  /** The formats of its files, in the order BAM, CRAM, VCF, BCF. */
  readonly formats: readonly StoredFormat[];
  /** The formats whose file is encrypted; undefined if none is. */
  readonly encrypted?: readonly StoredFormat[];
}

/** Creates the entry of an object with files of some kinds. The first file of each format is served. */
export function toEntry(
  { id, datatype }: Pick<ObjectEntry, 'id' | 'datatype'>,
  kinds: readonly ObjectKind[],
): ObjectEntry {
  const served = FORMATS.map(([, format]) =>
    OBJECT_KINDS.find((kind) => kind.format === format && kinds.includes(kind)),
  ).filter((kind) => kind !== undefined);
  const encrypted = served.filter(({ isEncrypted }) => isEncrypted).map(({ format }) => format);
  const formats = served.map(({ format }) => format);
  return { id, datatype, formats, ...(encrypted.length > 0 && { encrypted }) };
}

/** An id that cannot be served, since service-info has its path (htsget 1.3.1, "GA4GH service-info"). */
export const RESERVED_ID = 'service-info';

/**
 * Returns the kind of a file by its name, which may follow a path with slashes, or undefined for other files. A name that consists
 * of the extension only, or of one or two dots and the extension, is not served: URLs do not preserve `.` and `..`.
 */
export function objectKindOf(path: string): ObjectKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return OBJECT_KINDS.find(
    ({ extension }) => name.endsWith(extension) && !/^\.{0,2}$/.test(name.slice(0, -extension.length)),
  );
}

/** Orders entries by id, then by datatype. */
export function compareEntries(a: ObjectEntry, b: ObjectEntry): number {
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return a.datatype < b.datatype ? -1 : 1;
}
