import { access, constants, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ObjectCatalogue } from '../objects.js';
import { checkPaths } from '../served-paths.js';
import { bucketObjects } from './bucket-objects.js';
import { pathOf } from './location.js';
import { joinFinders, type ObjectFinder, withPrefix } from './object-finder.js';
import { objectKindOf } from './object-kind.js';
import type { RemoteStorage } from './remote-storage.js';
import { type SingleObject, singleObjects } from './single-objects.js';

/** Where htsget objects lie: a folder, a bucket or part of it, or a single file. */
export interface ObjectLocation extends SingleObject {
  /** What the ids begin with, before a slash. */
  readonly prefix?: string | undefined;
}

export interface OpenObjectsOptions {
  /** Folders and files of this machine, whose objects come first. */
  readonly paths: readonly string[];
  readonly locations: readonly ObjectLocation[];
  readonly storage: RemoteStorage;
  readonly log: (message: string) => void;
}

/**
 * The objects at some paths and locations: of several with the same id the first, but that files which are given an id or an
 * index, and those in buckets and at URLs, come before folders. Throws where a path is missing or that of a file which
 * cannot be served; nothing is asked of other machines.
 */
export async function openObjects({ paths, locations, storage, log }: OpenObjectsOptions): Promise<ObjectFinder> {
  await checkPaths(paths);
  const singles: SingleObject[] = [];
  const finders: ObjectFinder[] = [];
  // Files that are neighbours may be formats of one object: those that follow each other are looked at together.
  let plain = [...paths];
  const openPlain = async (): Promise<void> => {
    if (plain.length > 0) finders.push(await ObjectCatalogue.open(plain, log));
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
      finders.push(await openFolder(each, { storage, log }));
    }
  }
  await openPlain();
  return joinFinders([singleObjects(singles, storage), ...finders]);
}

/** Whether a location is that of one file which ObjectCatalogue does not find as it is. */
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
): Promise<ObjectFinder> {
  const finder =
    location.kind === 's3'
      ? bucketObjects(location, { storage, delivery })
      : await ObjectCatalogue.open([pathOf(location)], log);
  return prefix === undefined ? finder : withPrefix(prefix, finder);
}
