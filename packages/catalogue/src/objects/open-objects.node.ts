import { access, constants, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathOf } from '../locations/location.node.js';
import type { RemoteStorage } from '../locations/remote-storage.js';
import { isSequenceFile } from '../sequences/sequence-file.node.js';
import { locationObjects } from './bucket-objects.js';
import { folderObjects } from './folder-objects.node.js';
import { joinObjects, type ObjectCatalogue, prefixObjects } from './object-catalogue.js';
import { objectKindOf } from './object-kind.js';
import { type SingleObject, singleObjects } from './single-objects.node.js';

/** The names of files that can be served, for messages. */
export const SERVED_FILES: string =
  'reads are *.bam and *.cram; variants are *.bcf, and *.vcf.gz or *.vcf.bgz compressed by bgzip; ' +
  'sequences are *.fa, *.fasta and *.fna, optionally .gz compressed by bgzip, and *.2bit';

/** Index files. `htskit serve data/*` names them too; they are found beside their data, named or not. */
const INDEX = /\.(bai|csi|crai|tbi|fai|gzi)$/;

/** The location of htsget objects: a folder, a bucket or a part of it, or a single file. */
export interface ObjectLocation extends SingleObject {
  /** Ids begin with the prefix and a slash. */
  readonly prefix?: string | undefined;
}

export interface OpenObjectsOptions {
  /** Local folders and files. Their objects take precedence. */
  readonly paths: readonly string[];
  readonly locations: readonly ObjectLocation[];
  readonly storage: RemoteStorage;
  readonly log: (message: string) => void;
}

/**
 * Opens the objects at paths and locations. If several have the same id, the first wins, except that single files with an
 * id or index of their own, and files in buckets and at URLs, take precedence over folders. Throws Error for a path that
 * does not exist or cannot be served. No request is sent to remote locations.
 */
export async function openObjects({ paths, locations, storage, log }: OpenObjectsOptions): Promise<ObjectCatalogue> {
  await checkPaths(paths);
  const singles: SingleObject[] = [];
  const catalogues: ObjectCatalogue[] = [];
  // Neighbouring files may be formats of one object: consecutive paths are opened together.
  let plain = [...paths];
  const openPlain = async (): Promise<void> => {
    if (plain.length > 0) catalogues.push(await folderObjects(plain, { log }));
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
      catalogues.push(await openFolder(each, { storage, log }));
    }
  }
  await openPlain();
  return joinObjects([singleObjects(singles, storage), ...catalogues]);
}

/**
 * Throws Error for a path that does not exist or cannot be read, and for one that is neither a folder, nor a file that can
 * be served, nor an index.
 */
export async function checkPaths(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const stats = await stat(path);
    await access(path, constants.R_OK);
    const isKnown = stats.isFile() && (objectKindOf(path) !== undefined || isSequenceFile(path) || INDEX.test(path));
    if (!isKnown && !stats.isDirectory()) throw new Error(`cannot serve ${path}: ${SERVED_FILES}`);
  }
}

/** Returns whether a location is a single file that `folderObjects` would not find as it is. */
async function isSingle({ location, id, index, prefix }: ObjectLocation): Promise<boolean> {
  if (location.kind === 'http') return true;
  if (objectKindOf(pathOf(location)) === undefined) return false;
  if (location.kind === 's3') return true;
  return [id, index, prefix].some((value) => value !== undefined) && (await stat(location.path)).isFile();
}

function toSingle({ prefix, ...single }: ObjectLocation): SingleObject {
  if (prefix === undefined || single.id !== undefined) return single;
  const path = pathOf(single.location);
  return { ...single, id: `${prefix}/${basename(path, objectKindOf(path)?.extension)}` };
}

async function openFolder(
  { location, delivery, prefix }: ObjectLocation,
  { storage, log }: Pick<OpenObjectsOptions, 'storage' | 'log'>,
): Promise<ObjectCatalogue> {
  const catalogue =
    location.kind === 's3'
      ? locationObjects(location, { storage, delivery })
      : await folderObjects(pathOf(location), { log });
  return prefix === undefined ? catalogue : prefixObjects(prefix, catalogue);
}
