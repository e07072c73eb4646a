import {
  createTransport,
  type Fetch,
  readBytes,
  sendRequest,
  type Transport,
  toServerError,
  withRetries,
} from '@htskit/http';
import { StorageError } from '@htskit/io';
import { unlessMissing } from '@htskit/io/internal';
import type { StoreGuard } from '@htskit/storage/guard';
import { withStorageErrors } from '@htskit/storage/internal';
import type { RemoteStorage } from '../locations/remote-storage.js';
import type { Caller } from '../objects/caller.js';
import { AllowedHosts } from './allowed-hosts.node.js';
import { type Lookup, restrictedFetch } from './restricted-fetch.node.js';

/** The hosts of the data that a service names, and the headers that it receives. */
export interface ServiceAccess {
  /** The headers of requests that are sent on to the service, and to no other host. Default: none. */
  readonly forward?: readonly string[] | undefined;
  /** Further hosts that data may be on. Default: the host of the service only. */
  readonly hosts?: readonly string[] | undefined;
  /** See `AllowedHostsOptions`. */
  readonly networks?: readonly string[] | undefined;
}

export interface ServiceClientOptions extends ServiceAccess {
  /** A URL of the service, whose host is allowed. */
  readonly url: string;
  readonly storage: RemoteStorage;
  /** For tests. */
  readonly lookup?: Lookup | undefined;
}

const MAX_DOCUMENT_BYTES = 1024 * 1024;
const RETRY_AFTER_MILLISECONDS = 5000;

/** Requests JSON documents from a service, and opens URLs that they name, both within the allowed hosts. */
export class ServiceClient {
  readonly origin: string;
  readonly guard: StoreGuard;
  readonly fetch: Fetch;
  readonly #allowed: AllowedHosts;
  readonly #transport: Transport;

  constructor({ url, storage, hosts = [], networks = [], lookup }: ServiceClientOptions) {
    const { origin, host } = new URL(url);
    this.origin = origin;
    this.#allowed = new AllowedHosts({ hosts: [host, ...hosts], networks });
    this.fetch = restrictedFetch(this.#allowed, lookup);
    this.guard = storage.guardOf({ kind: 'http', url });
    const options = { ...storage.transportOf(this.guard), redirectHosts: this.#allowed.hosts, fetch: this.fetch };
    this.#transport = createTransport({ ...options, signal: undefined });
  }

  /** The hosts that data may be on. */
  get hosts(): readonly string[] {
    return this.#allowed.hosts;
  }

  /** Throws `StorageError` UNAVAILABLE for a URL of a host that is not allowed. */
  check(url: string): void {
    this.#allowed.check(url);
  }

  /** Returns the headers of a caller if a URL is one of the service itself, which alone may see them. */
  credentialsFor(url: string, { headers }: Caller): Caller['headers'] {
    return new URL(url).origin === this.origin ? headers : {};
  }

  /** Returns a JSON document, or undefined if the service has none. Throws `StorageError`. */
  document(url: string, caller: Caller): Promise<unknown> {
    return unlessMissing(
      withStorageErrors(this.#transport, { key: this.origin, signal: undefined }, (transport) =>
        withRetries(transport, () => this.#request(url, caller, transport)),
      ),
    );
  }

  async #request(url: string, caller: Caller, transport: Transport): Promise<unknown> {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
    const response = await sendRequest(transport, { url, headers, originHeaders: caller.headers });
    // DRS answers 202 while it prepares an object.
    if (response.status === 202) throw this.#unavailable('the service is still preparing the object', true);
    if (response.status !== 200) throw await toServerError(response, transport);
    const bytes = await readBytes(response, MAX_DOCUMENT_BYTES, transport);
    try {
      return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    } catch {
      throw this.#unavailable('the service did not answer with JSON', false);
    }
  }

  #unavailable(message: string, isTransient: boolean): StorageError {
    const retryAfterMilliseconds = RETRY_AFTER_MILLISECONDS;
    return new StorageError('UNAVAILABLE', message, {
      key: this.origin,
      isTransient,
      ...(isTransient && { retryAfterMilliseconds }),
    });
  }
}
