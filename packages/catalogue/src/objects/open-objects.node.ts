import { access, constants, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isEncryptedPath } from '@htskit/io/internal';
import type { Datatype } from '@htskit/protocol';
import type { Blocking } from '@htskit/storage/file';
import type { StoreGuard } from '@htskit/storage/guard';
import { fileNameOf, formatLocation, pathOf } from '../locations/location.node.js';
import type { RemoteStorage } from '../locations/remote-storage.js';
import type { MappedLocation } from '../mapped/open-mapped.node.js';
import { isSequenceFile } from '../sequences/sequence-file.node.js';
import { locationObjects } from './bucket-objects.js';
import { folderObjects } from './folder-objects.node.js';
import { type CandidateFile, lookedUpObjects } from './looked-up-objects.js';
import {
  type Decrypt,
  joinObjects,
  NO_KEY,
  type ObjectCatalogue,
  objectKindOf,
  prefixObjects,
  SERVED_FILES,
  toEntry,
} from './object-catalogue.js';
import { cannotServe, compareKinds, defaultId, type SingleObject, toCandidate } from './single-file.node.js';

/** Index files. `htskit serve data/*` names them too; they are found beside their data, named or not. */
const INDEX = /\.(bai|csi|crai|tbi|fai|gzi)(\.c4gh)?$/;

/** The location of htsget objects: a folder, a bucket or a part of it, or a single file. */
export interface ObjectLocation extends SingleObject {
  /** Ids begin with the prefix and a slash. */
  readonly prefix?: string;
}

export interface OpenObjectsOptions {
  /** Local folders and files. Their objects take precedence. */
  readonly paths: readonly string[];
  readonly locations: readonly ObjectLocation[];
  /** Objects whose ids are not paths. Those of `paths` and `locations` take precedence. */
  readonly mapped?: readonly MappedLocation[] | undefined;
  readonly storage: RemoteStorage;
  readonly log: (message: string) => void;
  /** See `folderObjects`. */
  readonly blocking?: Blocking;
  /** See `folderObjects`. */
  readonly decrypt?: Decrypt | undefined;
}

type OpenContext = Pick<OpenObjectsOptions, 'storage' | 'log' | 'blocking' | 'decrypt'>;

/**
 * Opens the objects at paths and locations. If several have the same id, the first wins, except that single files with an
 * id or index of their own, and files in buckets and at URLs, take precedence over folders. Throws Error for a path that
 * does not exist or cannot be served. No request is sent to remote locations.
 */
export async function openObjects({
  paths,
  locations,
  mapped = [],
  ...context
}: OpenObjectsOptions): Promise<ObjectCatalogue> {
  await checkPaths(paths);
  const singles: SingleObject[] = [];
  const catalogues: ObjectCatalogue[] = [];
  // Neighbouring files may be formats of one object: consecutive paths are opened together.
  let plain = [...paths];
  const openPlain = async (): Promise<void> => {
    if (plain.length > 0) catalogues.push(await folderObjects(plain, context));
    plain = [];
  };
  for (const each of locations) {
    const { location, prefix, index } = each;
    if (location.kind === 'path') await checkPaths([location.path]);
    if (index?.kind === 'path') await access(index.path, constants.R_OK);
    if (await isSingle(each)) singles.push(toSingle(each));
    else if (location.kind === 'path' && prefix === undefined) plain.push(location.path);
    else {
      await openPlain();
      catalogues.push(await openFolder(each, context));
    }
  }
  await openPlain();
  if (mapped.length > 0) {
    // Few need the libraries of expressions and queries.
    const { openMapped } = await import('../mapped/open-mapped.node.js');
    for (const each of mapped) catalogues.push(await openMapped(each, context));
  }
  return joinObjects([singleObjects(singles, context), ...catalogues]);
}

/**
 * Throws Error for a path that does not exist or cannot be read, and for one that is neither a folder, nor a file that can
 * be served, nor an index.
 */
export async function checkPaths(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const stats = await stat(path);
    await access(path, constants.R_OK);
    const isKnown =
      stats.isFile() && (objectKindOf(basename(path)) !== undefined || isSequenceFile(path) || INDEX.test(path));
    if (!isKnown && !stats.isDirectory()) throw new Error(`cannot serve ${path}: ${SERVED_FILES}`);
  }
}

/** Returns whether a location is a single file that `folderObjects` would not find as it is. */
async function isSingle({ location, id, index, prefix }: ObjectLocation): Promise<boolean> {
  if (location.kind === 'http') return true;
  if (objectKindOf(fileNameOf(location)) === undefined) return false;
  if (location.kind === 's3') return true;
  return [id, index, prefix].some((value) => value !== undefined) && (await stat(location.path)).isFile();
}

function toSingle({ prefix, ...single }: ObjectLocation): SingleObject {
  if (prefix === undefined || single.id !== undefined) return single;
  return { ...single, id: `${prefix}/${defaultId(single.location)}` };
}

async function openFolder(
  { location, delivery, prefix }: ObjectLocation,
  context: OpenContext,
): Promise<ObjectCatalogue> {
  const catalogue =
    location.kind === 's3'
      ? locationObjects(location, { ...context, delivery })
      : await folderObjects(pathOf(location), context);
  return prefix === undefined ? catalogue : prefixObjects(prefix, catalogue);
}

/**
 * Serves files that are named one by one; files with the same id are formats of one object. An encrypted one is left out without a
 * key. Throws Error if a file has an unknown extension or the reserved id, or if an object has two files of one format.
 */
function singleObjects(objects: readonly SingleObject[], context: OpenContext): ObjectCatalogue {
  const byName = new Map<string, CandidateFile[]>();
  const ids = objects
    .filter((object) => isDecryptable(object, context))
    .map((object) => {
      const { id, file } = toCandidate(object, context);
      const { datatype, format } = file.kind;
      const files = byName.get(`${datatype}/${id}`) ?? [];
      if (files.some(({ kind }) => kind.format === format)) {
        throw cannotServe(object.location, `${datatype}/${id} has another ${format} file`);
      }
      byName.set(`${datatype}/${id}`, [...files, file].sort(compareKinds));
      return { id, datatype };
    });
  const candidates = (id: string, datatype: Datatype): readonly CandidateFile[] =>
    byName.get(`${datatype}/${id}`) ?? [];
  return lookedUpObjects({
    candidates,
    guards: (id, datatype) => guardsOf(candidates(id, datatype)),
    decrypt: context.decrypt,
    list: async () =>
      ids.map((object) => {
        const files = candidates(object.id, object.datatype);
        return toEntry(
          object,
          files.map(({ kind }) => kind),
        );
      }),
    close: async () => {
      const opened = [...byName.values()].flat().flatMap(({ data, indexes }) => [data, ...indexes]);
      await Promise.all(opened.map(async ({ source }) => source.close?.()));
    },
  });
}

/** Returns whether a file and its index are plain or can be decrypted. Otherwise the file is logged. */
function isDecryptable({ location, index = location }: SingleObject, { decrypt, log }: OpenContext): boolean {
  const isEncrypted = [location, index].some((each) => isEncryptedPath(pathOf(each)));
  if (decrypt !== undefined || !isEncrypted) return true;
  log(`${formatLocation(location)} is not served: ${NO_KEY}`);
  return false;
}

function guardsOf(files: readonly CandidateFile[]): Set<StoreGuard> {
  const guards = files.flatMap(({ data, indexes }) => [data, ...indexes].map(({ guard }) => guard));
  return new Set(guards.filter((guard) => guard !== undefined));
}
