import { access, constants, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Decrypt } from '@htskit/catalogue';
import {
  firstKeys,
  formatLocation,
  isBelow,
  isStoreFolder,
  LISTED_KEYS,
  listFiles,
  listSequenceFiles,
  type MappedLocation,
  type ObjectKind,
  type ObjectLocation,
  objectKindOf,
  openMapped,
  openObjects,
  openStoreFolder,
  pathOf,
  type RemoteStorage,
  readAliasTable,
  type SequenceLocation,
} from '@htskit/catalogue/internal';
import { indexPaths } from '@htskit/indexes';
import { openSequenceStore } from '@htskit/sequences';
import { BlockCache } from '@htskit/storage/cache';
import type { ConfigPath, Environment } from '../../config/config-document.js';
import { ConfigError, type ConfigFault, compareFaults } from '../../config/config-error.js';
import { toMappedLocation } from '../../config/mapped-locations.js';
import { type ParsedConfig, parseConfig } from '../../config/parse-config.js';
import { type ConfiguredOptions, toServeOptions } from '../../config/serve-options.js';
import { describeError } from '../../errors.js';
import { findUnreferenced } from '../../runtime/references/missing-references.js';
import { openRemote } from '../../runtime/service/served-files.js';
import { TlsFiles } from '../../runtime/tls-files.js';
import { findSuspectFiles, type LocalObjectFile, type SuspectFile } from './check-ends.js';

/** The faults of a configuration, and what it would serve. */
export interface ConfigReport {
  readonly file: string;
  readonly faults: readonly ConfigFault[];
  readonly objects: readonly ObjectReport[];
  readonly sequences: readonly SequenceReport[];
}

export interface CheckConfigOptions {
  /** The path of the file. */
  readonly file: string;
  readonly text: string;
  readonly environment: Environment;
}

/** Checks a configuration and everything it names. It makes a few requests for each remote location. */
export async function checkConfig({ file, text, environment }: CheckConfigOptions): Promise<ConfigReport> {
  let parsed: ParsedConfig;
  try {
    parsed = parseConfig(text, { file, environment });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { file, faults: error.faults, objects: [], sequences: [] };
  }
  return new Checker(parsed).check({ file, environment });
}

class Checker {
  readonly #parsed: ParsedConfig;
  readonly #faults: ConfigFault[] = [];

  constructor(parsed: ParsedConfig) {
    this.#parsed = parsed;
  }

  async check({ file, environment }: Omit<CheckConfigOptions, 'text'>): Promise<ConfigReport> {
    const { config } = this.#parsed;
    const { auth, s3, crypt4gh, ...plain } = config;
    const flags = { paths: [] };
    await this.#attempt(['auth'], () => toServeOptions({ config: { auth }, file, flags, environment }));
    const [{ decrypt } = {}] = await this.#attempt(['crypt4gh', 'keys'], () =>
      toServeOptions({ config: { crypt4gh }, file, flags, environment }),
    );
    // The keys are tried with the files; a second fault for those that cannot be read would not help.
    const others = decrypt === undefined ? plain : { ...plain, crypt4gh };
    const [withS3] = await this.#attempt(['s3', 'credentials'], () =>
      toServeOptions({ config: { ...others, s3 }, file, flags, environment }),
    );
    const options = withS3 ?? (await toServeOptions({ config: others, file, flags, environment }));
    await this.#attempt(['listen', 'tls'], () => checkTls(options));
    const storage = openRemote(options, { cache: new BlockCache({ maxBytes: 0 }), presignSeconds: 1 });
    const objects: ObjectReport[] = [];
    // Which sequences files have is not known before they are digested, which takes too long here.
    const hasReferences = options.reference !== undefined || (options.sequenceLocations ?? []).length > 0;
    // The folder of relative paths does not matter here.
    const sections = config.htsget?.locations?.map((section) => toMappedLocation(section, '/')) ?? [];
    const indexesOf = (isMapped: boolean): number[] =>
      sections.flatMap((mapped, index) => ((mapped !== undefined) === isMapped ? [index] : []));
    const [plainIndexes, mappedIndexes] = [indexesOf(false), indexesOf(true)];
    for (const [at, location] of (options.mappedLocations ?? []).entries()) {
      const path = ['htsget', 'locations', mappedIndexes[at] ?? at, location.kind === 'table' ? 'ids' : 'location'];
      await this.#attempt(path, () => checkMapped(location, storage));
    }
    for (const [at, location] of (options.objectLocations ?? []).entries()) {
      const path = ['htsget', 'locations', plainIndexes[at] ?? at, 'location'];
      objects.push(...(await this.#attempt(path, () => checkObjects(location, { storage, decrypt, hasReferences }))));
    }
    const sequences: SequenceReport[] = [];
    for (const [index, location] of (options.sequenceLocations ?? []).entries()) {
      const path = ['refget', 'sources', index, 'location'];
      sequences.push(...(await this.#attempt(path, () => checkSequences(location, storage))));
    }
    return { file, faults: this.#faults.sort(compareFaults), objects, sequences };
  }

  /** Returns the result in a list. A failure is recorded as a fault of the value at `path`, and the list is empty. */
  async #attempt<Result>(path: ConfigPath, act: () => Promise<Result>): Promise<Result[]> {
    try {
      return [await act()];
    } catch (error) {
      this.#faults.push(this.#parsed.fault(path, describeError(error)));
      return [];
    }
  }
}

async function checkTls({ tls }: ConfiguredOptions): Promise<void> {
  if (tls !== undefined) (await TlsFiles.open(tls, { log: () => undefined })).close();
}

/** The files that a location of htsget objects would serve. */
interface ObjectReport {
  readonly location: string;
  /** The number of files of reads and variants that were found. */
  readonly files: number;
  /** Whether all files were listed. Of a bucket, only one page is. */
  readonly isComplete: boolean;
  /** The ids of the objects without an index, each with its format. */
  readonly withoutIndex: readonly string[];
  /** The local CRAM objects that are answered as CRAM only, as the configuration names no sequences that they need. */
  readonly withoutReference: readonly string[];
  /** The local files that do not end as they should. */
  readonly suspect: readonly SuspectFile[];
}

interface ObjectsContext {
  readonly storage: RemoteStorage;
  readonly decrypt: Decrypt | undefined;
  readonly hasReferences: boolean;
}

/** Checks a location of htsget objects. Throws if it does not exist or cannot be read. */
async function checkObjects(
  each: ObjectLocation,
  { hasReferences, ...context }: ObjectsContext,
): Promise<ObjectReport> {
  const { location, prefix } = each;
  const { storage, decrypt } = context;
  const openIdentity = async (): Promise<Decrypt | undefined> => decrypt;
  const finder = await openObjects({ paths: [], locations: [each], ...context, log: () => undefined });
  try {
    if (location.kind === 's3' && objectKindOf(location.key) === undefined) {
      const keys = await firstKeys(storage.openStore(location).list(''));
      return {
        location: formatLocation(location),
        ...findObjects(keys, prefix),
        isComplete: keys.length < LISTED_KEYS,
        withoutReference: [],
        suspect: [],
      };
    }
    const isChecked = location.kind === 'path' && !hasReferences;
    const withoutReference = isChecked ? await findUnreferenced(finder, async () => undefined) : [];
    const unreferenced = { withoutReference: withoutReference.map(({ name }) => name) };
    if (location.kind === 'path' && (await stat(location.path)).isDirectory()) {
      const folder = location.path;
      const paths = (await listFiles(folder)).filter((path) => isBelow(folder, path));
      const names = paths.map((path) => relative(folder, path).split(sep).join('/'));
      const suspect = await findSuspectFiles(listObjectFiles(names, each), openIdentity);
      return { location: folder, ...findObjects(names, prefix), isComplete: true, ...unreferenced, suspect };
    }
    const [entry] = await finder.list();
    const [file] = (entry && (await finder.resolve(entry.id, entry.datatype))) ?? [];
    if (entry === undefined || file === undefined) throw new Error('no such file');
    if (each.index !== undefined && file.index === undefined) throw new Error('no such index');
    const name = `${entry.id} (${file.format})`;
    const withoutIndex = file.index === undefined ? [name] : [];
    const suspect =
      location.kind === 'path' ? await findSuspectFiles([{ path: location.path, name }], openIdentity) : [];
    return { location: formatLocation(location), files: 1, isComplete: true, withoutIndex, ...unreferenced, suspect };
  } finally {
    await finder.close();
  }
}

/** Checks a rule, or the table of ids. No request is sent. */
async function checkMapped(location: MappedLocation, storage: RemoteStorage): Promise<void> {
  const catalogue = await openMapped(location, { storage, log: () => undefined });
  await catalogue.close();
}

function findObjects(
  names: readonly string[],
  prefix: string | undefined,
): Pick<ObjectReport, 'files' | 'withoutIndex'> {
  const all = new Set(names);
  const withoutIndex: string[] = [];
  let files = 0;
  for (const name of names) {
    const kind = objectKindOf(name);
    if (kind === undefined) continue;
    files++;
    if (indexPaths(name, kind.format).some((path) => all.has(path))) continue;
    withoutIndex.push(nameObject(name, kind, prefix));
  }
  return { files, withoutIndex };
}

/** Returns the id and the format of a file, such as `trio/mother (BAM)`. */
function nameObject(name: string, { extension, format }: ObjectKind, prefix: string | undefined): string {
  return `${prefix === undefined ? '' : `${prefix}/`}${name.slice(0, -extension.length)} (${format})`;
}

function listObjectFiles(names: readonly string[], { location, prefix }: ObjectLocation): LocalObjectFile[] {
  return names.flatMap((name) => {
    const kind = objectKindOf(name);
    return kind === undefined ? [] : [{ path: join(pathOf(location), name), name: nameObject(name, kind, prefix) }];
  });
}

/** The files or the store that a location of sequences would serve. */
interface SequenceReport {
  readonly location: string;
  /** The number of files; undefined for a store. */
  readonly files: number | undefined;
  /** The naming authorities of the aliases in a store; undefined for files. */
  readonly namingAuthorities: readonly string[] | undefined;
}

/** Checks a location of sequences without reading them. Throws if it does not exist, cannot be read, or holds no sequences. */
async function checkSequences(
  { location, aliases }: SequenceLocation,
  storage: RemoteStorage,
): Promise<SequenceReport> {
  const name = formatLocation(location);
  if (location.kind === 's3' || (await isStoreFolder(location.path))) {
    const store = await (location.kind === 's3'
      ? openSequenceStore(storage.openStore(location))
      : openStoreFolder(location.path));
    await store.close();
    return { location: name, files: undefined, namingAuthorities: store.namingAuthorities };
  }
  await access(location.path, constants.R_OK);
  if (aliases !== undefined) await readAliasTable(aliases);
  const files = await listSequenceFiles(location.path);
  if (files.length === 0) throw new Error('no FASTA file, 2bit file or sequence store found');
  return { location: name, files: files.length, namingAuthorities: undefined };
}
