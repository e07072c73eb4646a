import type { StoredFormat } from '@htskit/htsget';
import { SdaArchive } from '@htskit/storage/sda';
import { sdaObjects } from '../archive/sda-objects.js';
import { parseLocation } from '../locations/location.node.js';
import { locationObjects } from '../objects/bucket-objects.js';
import { folderObjects } from '../objects/folder-objects.node.js';
import { lookedUpObjects } from '../objects/looked-up-objects.js';
import { type Decrypt, type ObjectCatalogue, prefixObjects } from '../objects/object-catalogue.js';
import { type ServiceAccess, ServiceClient } from '../outgoing/service-client.node.js';
import { IdRule } from './id-rule.js';
import { IdTable } from './id-table.node.js';
import { JsonResolver, type ResolverOptions } from './json-resolver.node.js';
import { type MappedContext, NamedFiles } from './named-files.node.js';
import { restrictToKind, ruleObjects } from './rule-objects.js';
import { tableObjects } from './table-objects.node.js';

/** htsget objects whose ids are not paths. */
export type MappedLocation = (RuleLocation | TableLocation | DrsLocation | ResolverLocation | ArchiveLocation) & {
  /** Ids begin with the prefix and a slash. */
  readonly prefix?: string | undefined;
};

interface ServiceFiles extends ServiceAccess {
  /** Default: by the name of each file. */
  readonly format?: StoredFormat | undefined;
}

/** Ids that an expression turns into locations. */
interface RuleLocation extends ServiceFiles {
  readonly kind: 'rule';
  readonly match: string;
  /** The template of the location; see `IdRule`. */
  readonly location: string;
  /** The template of the index, of a location that is not a folder or a bucket. Default: beside the data. */
  readonly index?: string | undefined;
  /** The folder that relative paths begin at. */
  readonly folder: string;
}

/** Ids that a table lists. */
interface TableLocation extends ServiceFiles {
  readonly kind: 'table';
  readonly path: string;
}

/** One object of a DRS server. */
interface DrsLocation extends ServiceFiles {
  readonly kind: 'drs';
  readonly id: string;
  readonly location: string;
  readonly index?: string | undefined;
}

/** Ids that a service knows. */
interface ResolverLocation extends ServiceFiles, ResolverOptions {
  readonly kind: 'resolver';
}

/** The datasets of a NeIC Sensitive Data Archive, to which the token of each request is forwarded. */
interface ArchiveLocation {
  readonly kind: 'sda';
  readonly url: string;
  /** The key that the archive encrypts headers for, and what decrypts with it. */
  readonly reader: ArchiveReader;
}

/** The key of a reader of an archive. */
export interface ArchiveReader {
  readonly publicKey: Uint8Array;
  readonly decrypt: Decrypt;
}

/**
 * Opens the objects of a mapped location. Throws RangeError for an invalid expression, template or query, and Error for a table that
 * cannot be read. No request is sent.
 */
export async function openMapped(location: MappedLocation, context: MappedContext): Promise<ObjectCatalogue> {
  const catalogue = await open(location, context);
  return location.prefix === undefined ? catalogue : prefixObjects(location.prefix, catalogue);
}

async function open(location: MappedLocation, context: MappedContext): Promise<ObjectCatalogue> {
  switch (location.kind) {
    case 'rule':
      return openRule(location, context);
    case 'table': {
      const table = await IdTable.open(location.path, context.log);
      return tableObjects(table, new NamedFiles(location, context), { ...context, forward: location.forward });
    }
    case 'drs': {
      const { id, location: text, index, forward } = location;
      const table = IdTable.of([[id, { location: text, index }]]);
      return tableObjects(table, new NamedFiles(location, context), { ...context, forward });
    }
    case 'resolver':
      return openResolver(location, context);
    case 'sda':
      return openArchive(location, context);
  }
}

/** Folders and buckets serve the rest of the location as an id of theirs, with all formats and indexes that they find. */
async function openRule(location: RuleLocation, context: MappedContext): Promise<ObjectCatalogue> {
  const { match, location: template, index, folder, forward } = location;
  const rule = new IdRule({ match, template });
  if (/^(?:https?|drs):/i.test(template)) {
    const files = new NamedFiles(location, context);
    const indexRule = index === undefined ? undefined : new IdRule({ match, template: index });
    return ruleObjects(rule, { files, indexRule, forward, decrypt: context.decrypt });
  }
  const root = parseLocation(rule.root === '' ? '.' : rule.root, folder);
  const base = root.kind === 's3' ? locationObjects(root, context) : await folderObjects(rootPath(root), context);
  return restrictToKind(rule, base);
}

function rootPath(root: ReturnType<typeof parseLocation>): string {
  if (root.kind === 'path') return root.path;
  throw new RangeError('expected a path, s3://BUCKET/PREFIX, or a URL of http, https or drs');
}

function openResolver(location: ResolverLocation, context: MappedContext): ObjectCatalogue {
  const client = new ServiceClient({ ...location, url: location.url.replaceAll('{id}', ''), ...context });
  const service = new JsonResolver(location, client);
  const files = new NamedFiles(location, context);
  return lookedUpObjects({
    candidates: (id, datatype, caller) => files.ofService({ service, client, id, datatype, caller }),
    guards: () => [client.guard],
    decrypt: context.decrypt,
    forward: location.forward,
    list: async () => [],
    close: async () => undefined,
  });
}

function openArchive({ url, reader }: ArchiveLocation, { storage }: MappedContext): ObjectCatalogue {
  const guard = storage.guardOf({ kind: 'http', url });
  const archive = new SdaArchive(url, { publicKey: reader.publicKey, transport: storage.transportOf(guard) });
  return sdaObjects(archive, { storage, guard, decrypt: reader.decrypt });
}
