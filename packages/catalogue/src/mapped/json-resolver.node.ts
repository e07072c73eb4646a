import { query } from 'jsonpath-rfc9535';
import type { Caller } from '../objects/caller.js';
import type { ServiceClient } from '../outgoing/service-client.node.js';
import { type FoundObject, incompleteDocument, type ObjectService } from './object-service.js';

/** The URL of a service, and the queries of JSONPath (RFC 9535) that find the data in its documents. */
export interface ResolverOptions {
  /** The URL of the document of an object, with `{id}` after the host. */
  readonly url: string;
  /** Finds the URL of the data. */
  readonly data: string;
  /** Finds the URL of the index. Default: beside the data, if its URL has no query. */
  readonly index?: string | undefined;
  /** Finds the size of the data in bytes. Default: it is not checked. */
  readonly size?: string | undefined;
}

/** Finds objects in the JSON documents of a service. */
export class JsonResolver implements ObjectService {
  readonly #client: ServiceClient;
  readonly #url: string;
  readonly #data: string;
  readonly #index: string | undefined;
  readonly #size: string | undefined;

  /** Throws RangeError for an invalid URL or query. */
  constructor({ url, data, index, size }: ResolverOptions, client: ServiceClient) {
    checkResolverUrl(url);
    for (const text of [data, index, size]) if (text !== undefined) checkQuery(text);
    this.#client = client;
    this.#url = url;
    this.#data = data;
    this.#index = index;
    this.#size = size;
  }

  keyOf(id: string): string {
    return this.#url.replaceAll('{id}', encodeURIComponent(id));
  }

  async find(id: string, caller: Caller): Promise<FoundObject | undefined> {
    const key = this.keyOf(id);
    const document = await this.#client.document(key, caller);
    if (document === undefined) return undefined;
    const data = firstText(this.#data, document);
    if (data === undefined) throw incompleteDocument('URL of the data', key);
    const index = this.#index === undefined ? undefined : firstText(this.#index, document);
    const size = this.#size === undefined ? undefined : firstValue(this.#size, document);
    if (this.#size !== undefined && !isSize(size)) throw incompleteDocument('size', key);
    return {
      data: { url: data },
      ...(index !== undefined && { index: { url: index } }),
      ...(isSize(size) && { size }),
    };
  }
}

/** Throws RangeError unless a URL is one of http or https with `{id}` after the host. */
export function checkResolverUrl(url: string): void {
  const [fixed = '', ...others] = url.split('{id}');
  const isUrl = /^https?:\/\/[^/]+\//i.test(fixed) && URL.canParse(fixed) && new URL(fixed).username === '';
  if (!isUrl || others.length === 0)
    throw new RangeError('expected a URL of http or https with {id} in its path or query');
}

/** Throws RangeError for a text that is not a query. */
export function checkQuery(text: string): void {
  try {
    query(null, text);
  } catch (cause) {
    throw new RangeError(`"${text}" is not a query of JSONPath (RFC 9535)`, { cause });
  }
}

/** Returns the first value that a query finds. */
function firstValue(path: string, document: unknown): unknown {
  return query(document as Parameters<typeof query>[0], path)[0];
}

function firstText(path: string, document: unknown): string | undefined {
  const value = firstValue(path, document);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
