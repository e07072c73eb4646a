import type { StoredFormat } from '@htskit/htsget';
import { StorageError } from '@htskit/io';
import { isEncryptedPath, unlessMissing } from '@htskit/io/internal';
import type { Datatype } from '@htskit/protocol';
import type { Blocking } from '@htskit/storage/file';
import { parseLocation, type UrlLocation } from '../locations/location.node.js';
import type { RemoteStorage } from '../locations/remote-storage.js';
import type { Caller } from '../objects/caller.js';
import type { CandidateFile } from '../objects/looked-up-objects.js';
import { type Decrypt, OBJECT_KINDS, type ObjectKind, objectKindOf } from '../objects/object-catalogue.js';
import { toCandidate } from '../objects/single-file.node.js';
import type { Lookup } from '../outgoing/restricted-fetch.node.js';
import { type ServiceAccess, ServiceClient } from '../outgoing/service-client.node.js';
import { DrsClient, drsObjectsUrl, parseDrsUri } from './drs-client.node.js';
import type { FoundUrl, ObjectService } from './object-service.js';

/** How mapped objects are opened. */
export interface MappedContext {
  readonly storage: RemoteStorage;
  readonly log: (message: string) => void;
  readonly blocking?: Blocking | undefined;
  readonly decrypt?: Decrypt | undefined;
  /** Resolves the names of hosts. For tests. */
  readonly lookup?: Lookup | undefined;
}

interface NamedFilesOptions extends ServiceAccess {
  readonly format?: StoredFormat | undefined;
}

/** The object that is looked up, and the user who requests it. */
interface ObjectLookup {
  readonly id: string;
  readonly datatype: Datatype;
  readonly caller: Caller;
}

/** A location as text: a path, a bucket, a URL, or the URI of an object of a DRS server. */
export interface NamedLocation {
  readonly location: string;
  /** Default: beside the data. */
  readonly index?: string | undefined;
}

/** The most DRS servers whose clients are kept: a table may name many. */
const MAX_SERVERS = 100;

/** Opens files whose locations come from tables, rules and services. */
export class NamedFiles {
  readonly #options: NamedFilesOptions;
  readonly #context: MappedContext;
  readonly #servers = new Map<string, ServiceClient>();

  constructor(options: NamedFilesOptions, context: MappedContext) {
    this.#options = options;
    this.#context = context;
  }

  /** Returns the file at a location, or none if it is of the other datatype. Relative paths begin at `folder`. */
  async ofLocation(
    named: NamedLocation & ObjectLookup & { readonly folder?: string },
  ): Promise<readonly CandidateFile[]> {
    const { location: text, index, id, datatype, folder = '/' } = named;
    if (parseDrsUri(text) !== undefined) return this.#ofDrs(named);
    const location = parseLocation(text, folder);
    const kind = this.#kindOf(text);
    if (kind?.datatype !== datatype) return [];
    const { file } = toCandidate(
      { location, id, kind, ...(index !== undefined && { index: parseLocation(index, folder) }) },
      this.#context,
    );
    return [file];
  }

  /** Returns the file that a service names, or none if it does not know the id or the file is of the other datatype. */
  async ofService({
    service,
    client,
    ...lookup
  }: ObjectLookup & { readonly service: ObjectService; readonly client: ServiceClient }): Promise<
    readonly CandidateFile[]
  > {
    const { id, datatype, caller } = lookup;
    const found = await service.find(id, caller);
    if (found === undefined) return [];
    const kind = this.#kindOf(found.name ?? pathnameOf(found.data.url));
    if (kind === undefined) {
      throw new StorageError('UNAVAILABLE', 'the name of the file has no extension of a format; see format', {
        key: service.keyOf(id),
      });
    }
    if (kind.datatype !== datatype) return [];
    const toLocation = (target: FoundUrl): UrlLocation => this.#toLocation(target, { ...lookup, service, client });
    const index = found.index && toLocation(found.index);
    const { file } = toCandidate(
      { location: toLocation(found.data), id, kind, ...(index && { index }) },
      this.#context,
    );
    await checkSize(file, found.size);
    return [file];
  }

  async #ofDrs({ location, index, ...lookup }: NamedLocation & ObjectLookup): Promise<readonly CandidateFile[]> {
    const uri = parseDrsUri(location);
    if (uri === undefined) return [];
    const client = this.#serverOf(uri.host);
    const server = new DrsClient(uri.host, client);
    const indexUri = index === undefined ? undefined : parseDrsUri(index);
    const service: ObjectService = {
      keyOf: (id) => server.keyOf(id),
      find: async (id, caller) => {
        const found = await server.find(id, caller);
        if (found === undefined || indexUri === undefined) return found;
        const ofIndex = await new DrsClient(indexUri.host, this.#serverOf(indexUri.host)).find(indexUri.id, caller);
        return ofIndex === undefined ? found : { ...found, index: ofIndex.data };
      },
    };
    return this.ofService({ ...lookup, id: uri.id, service, client });
  }

  #serverOf(host: string): ServiceClient {
    const known = this.#servers.get(host);
    if (known !== undefined) return known;
    if (this.#servers.size >= MAX_SERVERS) this.#servers.clear();
    const client = new ServiceClient({ ...this.#options, ...this.#context, url: drsObjectsUrl(host) });
    this.#servers.set(host, client);
    return client;
  }

  /** Throws `StorageError` UNAVAILABLE for a URL that is not allowed. */
  #toLocation(
    { url, headers }: FoundUrl,
    { id, caller, service, client }: ObjectLookup & { readonly service: ObjectService; readonly client: ServiceClient },
  ): UrlLocation {
    client.check(url);
    // A presigned URL differs from lookup to lookup, and the name at the end of the key is shown.
    const key = `${caller.key}#${service.keyOf(id)}#${pathnameOf(url)}`;
    const sent = { ...headers, ...client.credentialsFor(url, caller) };
    return { kind: 'http', url, access: { key, headers: sent, fetch: client.fetch, redirectHosts: client.hosts } };
  }

  /** Returns the kind of a file by its name, or by the configured format. */
  #kindOf(path: string): ObjectKind | undefined {
    const { format } = this.#options;
    const isEncrypted = isEncryptedPath(path);
    if (format === undefined) return objectKindOf(path);
    return OBJECT_KINDS.find((kind) => kind.format === format && kind.isEncrypted === isEncrypted);
  }
}

function pathnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '';
}

/** Throws `StorageError` UNAVAILABLE if a file does not have the size that its service says. */
async function checkSize({ data: { source } }: CandidateFile, size: number | undefined): Promise<void> {
  const stat = size === undefined ? undefined : await unlessMissing(source.stat());
  if (stat === undefined || stat.size === size) return;
  const message = `the file has ${stat.size} bytes; expected ${size}, as its service says`;
  throw new StorageError('UNAVAILABLE', message, { key: source.key });
}
