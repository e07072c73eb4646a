import type { ObjectCatalogue } from '@htskit/catalogue';
import { indexTypeOf } from '@htskit/catalogue/internal';
import type { StoredFile, StoredFormat } from '@htskit/htsget';
import type { HtsgetRegion } from '@htskit/protocol';
import type { FileFault } from '../service/file-faults.js';
import { findVisibleExample } from '../service/visible-example.js';
import type {
  ListedObject,
  ListQuery,
  ObjectListing,
  VisibleObjects,
  VisiblePart,
} from '../service/visible-objects.js';

/** A stored file of an object, without its path. */
interface FileDetails {
  readonly format: StoredFormat;
  /** Undefined if the file cannot be read. */
  readonly bytes?: number;
  /** The kind of the index: `BAI`, `CSI`, `TBI` or `CRAI`. */
  readonly index?: string;
  readonly isEncrypted?: true;
}

/** The faults of files, as the page names them. */
export type FaultKind = FileFault['kind'];

/** A listed object with its stored files. */
export interface ObjectDetails extends ListedObject {
  readonly files: readonly FileDetails[];
}

/** The answer to `page/objects`: what a request may see. */
export interface DetailedListing extends ObjectListing {
  readonly objects: readonly ObjectDetails[];
  /** Whether what is listed depends on a token. */
  readonly isGuarded: boolean;
  /** Whether the page checks all objects of the list, rather than those that are opened. */
  readonly checksListed: boolean;
}

/** The answer to `page/object`. */
export interface DetailedObject extends ObjectDetails {
  /** A region with records that the request may see, if it asks for one and one is found. */
  readonly example?: HtsgetRegion;
  /** The regions to which the request is restricted. */
  readonly regions?: readonly HtsgetRegion[];
}

export interface DetailsOptions {
  readonly catalogue: Pick<ObjectCatalogue, 'resolve'>;
  readonly visible: VisibleObjects;
  /** Finds the faults of a file. Throws what reading the file throws. Default: there are none. */
  readonly findFaults?: (file: StoredFile) => Promise<readonly FileFault[]>;
}

/** The number of files whose sizes are requested at once. */
const CONCURRENT_STATS = 16;

/** Lists a page of objects with their files. */
export async function listDetails(
  request: Request,
  query: ListQuery,
  { catalogue, visible }: DetailsOptions,
): Promise<Omit<DetailedListing, 'isGuarded' | 'checksListed'>> {
  const { objects, ...listing } = await visible.list(request, query);
  const detailed: ObjectDetails[] = [];
  for (let start = 0; start < objects.length; start += CONCURRENT_STATS) {
    const group = objects.slice(start, start + CONCURRENT_STATS);
    const describe = async (object: ListedObject): Promise<ObjectDetails> => {
      const files = (await catalogue.resolve(object.id, object.datatype, request)) ?? [];
      return { ...object, files: await Promise.all(files.map(describeFile)) };
    };
    detailed.push(...(await Promise.all(group.map(describe))));
  }
  return { ...listing, objects: detailed };
}

/**
 * Describes one object. Returns undefined if there is none that the request may see. The example takes reading the header and the
 * index: 31 ms for an index of 6 MB.
 */
export async function describeObject(
  request: Request,
  { hasExample, ...object }: Pick<ListedObject, 'datatype' | 'id'> & { readonly hasExample: boolean },
  { catalogue, visible }: DetailsOptions,
): Promise<DetailedObject | undefined> {
  const permission = await visible.permissionOf(request, object);
  const stored = permission && (await catalogue.resolve(object.id, object.datatype, request));
  if (permission === undefined || stored === undefined) return undefined;
  const { regions } = permission;
  const { datatype, id } = object;
  const files = await Promise.all(stored.map(describeFile));
  const example = hasExample ? await findExample(stored, permission) : undefined;
  const described = { datatype, id, ...visible.describeFiles(stored, datatype), files };
  return { ...described, ...(example && { example }), ...(regions !== 'all' && { regions }) };
}

/**
 * Returns the kinds of faults of the files of an object. Returns undefined if there is none that the request may see. Takes reading
 * the headers and indexes.
 */
export async function checkObject(
  request: Request,
  { datatype, id }: Pick<ListedObject, 'datatype' | 'id'>,
  { catalogue, visible, findFaults = async () => [] }: DetailsOptions,
): Promise<readonly FaultKind[] | undefined> {
  const permission = await visible.permissionOf(request, { datatype, id });
  const stored = permission && (await catalogue.resolve(id, datatype, request));
  if (stored === undefined) return undefined;
  const damaged = [{ kind: 'damaged' }] as const;
  const faults = await Promise.all(stored.map((file) => findFaults(file).catch(() => damaged)));
  return [...new Set(faults.flat().map(({ kind }) => kind))];
}

/** Returns the files of an object that the request may see as a whole; undefined otherwise. What is beside them may be seen, too. */
export async function findWholeObject(
  request: Request,
  { datatype, id }: Pick<ListedObject, 'datatype' | 'id'>,
  { catalogue, visible }: DetailsOptions,
): Promise<readonly StoredFile[] | undefined> {
  const permission = await visible.permissionOf(request, { datatype, id });
  const isWhole = permission?.regions === 'all' && permission.samples === undefined;
  return isWhole ? catalogue.resolve(id, datatype, request) : undefined;
}

/** The maximum number of bases of an example in a region that a request is restricted to. */
const EXAMPLE_BASES = 2 ** 14;

async function findExample([file]: readonly StoredFile[], part: VisiblePart): Promise<HtsgetRegion | undefined> {
  const region = file && (await findVisibleExample(file, part));
  if (region === undefined || part.regions === 'all') return region;
  const { referenceName, start = 0, end = Number.POSITIVE_INFINITY } = region;
  return { referenceName, start, end: Math.min(end, start + EXAMPLE_BASES) };
}

async function describeFile({ format, data, index, isEncrypted }: StoredFile): Promise<FileDetails> {
  const stat = await data.stat().catch(() => undefined);
  return {
    format,
    ...(stat !== undefined && { bytes: stat.size }),
    ...(index !== undefined && { index: indexTypeOf(index) }),
    ...(isEncrypted && { isEncrypted }),
  };
}
