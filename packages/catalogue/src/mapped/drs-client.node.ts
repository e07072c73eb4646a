import type { Caller } from '../objects/caller.js';
import type { ServiceClient } from '../outgoing/service-client.node.js';
import { type FoundObject, type FoundUrl, incompleteDocument, type ObjectService } from './object-service.js';

/** The URI of an object of a DRS server by its host (DRS 1.5, "Hostname-based DRS URIs"). */
export interface DrsUri {
  readonly host: string;
  readonly id: string;
}

const URI = /^drs:\/\/([a-z0-9.-]+(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?)\/(.+)$/i;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/;

/**
 * Parses `drs://HOST/ID`. Returns undefined for other text, such as a compact identifier, whose registry would decide which host is
 * asked.
 */
export function parseDrsUri(text: string): DrsUri | undefined {
  const [, host, id] = URI.exec(text) ?? [];
  if (host === undefined || id === undefined || id.includes('\0') || ['.', '..'].includes(id)) return undefined;
  return URL.canParse(`https://${host}`) ? { host: host.toLowerCase(), id } : undefined;
}

/** Returns the URL of the objects of a server, which is on this machine or uses TLS (DRS 1.5, "Hostname-based DRS URIs"). */
export function drsObjectsUrl(host: string): string {
  return `${LOOPBACK.test(host) ? 'http' : 'https'}://${host}/ga4gh/drs/v1/objects/`;
}

interface AccessMethod {
  readonly type?: unknown;
  readonly access_url?: unknown;
  readonly access_id?: unknown;
}

/** Finds objects of one DRS server, versions 1.1 to 1.5: by the access method `https`, through `access` if need be. */
export class DrsClient implements ObjectService {
  readonly #client: ServiceClient;
  readonly #objects: string;

  constructor(host: string, client: ServiceClient) {
    this.#client = client;
    this.#objects = drsObjectsUrl(host);
  }

  keyOf(id: string): string {
    return this.#objects + encodeURIComponent(id);
  }

  async find(id: string, caller: Caller): Promise<FoundObject | undefined> {
    const key = this.keyOf(id);
    const object = await this.#client.document(key, caller);
    if (object === undefined) return undefined;
    const { name, size, access_methods: methods } = (object ?? {}) as Readonly<Record<string, unknown>>;
    const data = await this.#access(key, Array.isArray(methods) ? methods : [], caller);
    return {
      data,
      ...(typeof name === 'string' && name !== '' && { name }),
      ...(Number.isSafeInteger(size) && { size: size as number }),
    };
  }

  async #access(key: string, methods: readonly AccessMethod[], caller: Caller): Promise<FoundUrl> {
    const usable = methods.filter((method) => method?.type === 'https' || method?.type === 'http');
    for (const { access_url: url } of usable) {
      const found = toFoundUrl(url);
      if (found !== undefined) return found;
    }
    const accessId = usable.map((method) => method.access_id).find((id) => typeof id === 'string' && id !== '');
    if (typeof accessId === 'string') {
      const url = `${key}/access/${encodeURIComponent(accessId)}`;
      const found = toFoundUrl(await this.#client.document(url, caller));
      if (found !== undefined) return found;
    }
    throw incompleteDocument('access method of the type https', key);
  }
}

/** Headers of the connection and of ranges, which the request itself decides. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'range',
  'if-match',
]);

/** Converts an `AccessURL`, whose headers are texts such as `Authorization: Basic Z2E0Z2g6ZHJz`. */
function toFoundUrl(value: unknown): FoundUrl | undefined {
  const { url, headers = [] } = (value ?? {}) as { readonly url?: unknown; readonly headers?: unknown };
  if (typeof url !== 'string' || url === '') return undefined;
  const pairs = (Array.isArray(headers) ? headers : []).flatMap((header) => {
    const [, name = '', content = ''] = /^([^:\s]+):\s*(.*)$/.exec(String(header)) ?? [];
    return name === '' || OWN_HEADERS.has(name.toLowerCase()) ? [] : [[name.toLowerCase(), content] as const];
  });
  return { url, headers: Object.fromEntries(pairs) };
}
