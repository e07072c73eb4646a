import {
  createTransport,
  type HttpHeaders,
  readBytes,
  sendRequest,
  type Transport,
  toServerError,
  withRetries,
} from '@htskit/http';
import { parseHttpUrl } from '@htskit/http/internal';
import { StorageError, toBase64 } from '@htskit/io';
import type { HttpSourceOptions } from '../http/http-source.js';
import { withStorageErrors } from '../http/storage-failure.js';

/** A file of a dataset, as the archive lists it. */
export interface SdaFile {
  readonly fileId: string;
  /** The path within the dataset. */
  readonly filePath: string;
  /** Digests of the plaintext. */
  readonly checksums: readonly { readonly type: string; readonly checksum: string }[];
}

/** The credentials of a user, which are sent to the archive only. */
export interface SdaRequestOptions {
  readonly headers?: HttpHeaders;
  readonly signal?: AbortSignal;
}

export interface SdaArchiveOptions {
  /** The public key that headers are encrypted for. */
  readonly publicKey: Uint8Array;
  readonly transport?: Omit<HttpSourceOptions, 'key' | 'headers'>;
}

/** The header of a file, encrypted for the key of this client. */
export interface SdaHeader {
  readonly bytes: Uint8Array;
  /** The entity tag of the content that it belongs to. */
  readonly contentTag: string | undefined;
}

/** The archive's greatest number of items of a page. */
const PAGE_SIZE = 1000;
/** The most items of a list that are read. */
const MAX_ITEMS = 100_000;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** The longest Crypt4GH header that is accepted. One with a single key has 124 bytes. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * A client of the download API, version 2, of the NeIC Sensitive Data Archive. The archive decides with the token of each request,
 * and encrypts the header of a file for this client. It throws `StorageError`: ACCESS_DENIED with the status 401, or with 403 for what
 * is forbidden and for what does not exist.
 *
 * @example
 * const archive = new SdaArchive('https://archive.example.org', { publicKey });
 * const files = await archive.files('EGAD00000000001', { pathPrefix: 'samples/', headers: { authorization: `Bearer ${token}` } });
 */
export class SdaArchive {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  readonly #publicKey: string;
  readonly #transport: Transport;

  /** Throws TypeError unless the URL is an HTTP(S) URL without credentials and query. */
  constructor(url: string, { publicKey, transport }: SdaArchiveOptions) {
    const parsed = parseHttpUrl(url);
    if (parsed === undefined || parsed.search !== '') throw new TypeError('expected an HTTP(S) URL without a query');
    parsed.hash = '';
    this.url = parsed.href.replace(/\/+$/, '');
    this.#publicKey = toBase64(publicKey);
    this.#transport = createTransport({ ...transport, signal: undefined });
  }

  /** Lists the ids of the datasets that the user may see. */
  datasets(options: SdaRequestOptions = {}): Promise<string[]> {
    return this.#list('/datasets', toDatasets, options);
  }

  /** Lists the files of a dataset whose paths begin with a prefix. */
  files(dataset: string, options: SdaRequestOptions & { readonly pathPrefix?: string } = {}): Promise<SdaFile[]> {
    const { pathPrefix } = options;
    const query = pathPrefix === undefined ? '' : `pathPrefix=${encodeURIComponent(pathPrefix)}`;
    return this.#list(`/datasets/${encodeSegment(dataset)}/files?${query}`, toFiles, options);
  }

  /** Requests the header of a file. It differs from request to request, but for its length and content. */
  async header(fileId: string, { headers, signal }: SdaRequestOptions = {}): Promise<SdaHeader> {
    const url = `${this.#fileUrl(fileId)}/header`;
    const originHeaders = { ...headers, 'x-c4gh-public-key': this.#publicKey };
    return this.#request(url, { headers: originHeaders, signal }, async (response, transport) => ({
      bytes: await readBytes(response, MAX_HEADER_BYTES, transport),
      contentTag: response.headers.get('sda-content-etag') ?? undefined,
    }));
  }

  /** Returns the URL of the encrypted segments of a file, which answers range requests. */
  contentUrl(fileId: string): string {
    return `${this.#fileUrl(fileId)}/content`;
  }

  #fileUrl(fileId: string): string {
    return `${this.url}/files/${encodeSegment(fileId)}`;
  }

  /** Reads the pages of a list. */
  async #list<Item>(
    path: string,
    toItems: (page: unknown) => readonly Item[] | undefined,
    options: SdaRequestOptions,
  ): Promise<Item[]> {
    const items: Item[] = [];
    const separator = path.includes('?') ? '&' : '?';
    let next = '';
    do {
      const url = `${this.url}${path}${separator}pageSize=${PAGE_SIZE}${next}`;
      const page = await this.#request(url, options, async (response, transport) =>
        parseJson(await readBytes(response, MAX_PAGE_BYTES, transport)),
      );
      const found = toItems(page);
      if (found === undefined) throw this.#invalid('a list that does not have the form of the API');
      items.push(...found);
      if (items.length > MAX_ITEMS) throw this.#invalid(`a list of more than ${MAX_ITEMS} items`);
      const token = pageTokenOf(page);
      if (token !== undefined && found.length === 0) throw this.#invalid('an empty page that another one follows');
      next = token === undefined ? '' : `&pageToken=${encodeURIComponent(token)}`;
    } while (next !== '');
    return items;
  }

  #request<Result>(
    url: string,
    { headers, signal }: SdaRequestOptions,
    read: (response: Response, transport: Transport) => Promise<Result>,
  ): Promise<Result> {
    return withStorageErrors({ ...this.#transport, signal }, { key: this.url, signal }, (transport) =>
      withRetries(transport, async () => {
        const response = await sendRequest(transport, { url, ...(headers && { originHeaders: headers }) });
        if (response.status !== 200) throw await toServerError(response, transport);
        return read(response, transport);
      }),
    );
  }

  #invalid(found: string): StorageError {
    return new StorageError('UNAVAILABLE', `the archive answered with ${found}`, { key: this.url });
  }
}

/** Encodes an id as one segment of a path. Throws `StorageError` INVALID_KEY for dots, which lead elsewhere in any encoding. */
function encodeSegment(id: string): string {
  if (!['', '.', '..'].includes(id)) return encodeURIComponent(id);
  throw new StorageError('INVALID_KEY', `"${id}" cannot be an id of the archive`, { key: id });
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function pageTokenOf(page: unknown): string | undefined {
  const { nextPageToken } = page as { readonly nextPageToken?: unknown };
  return typeof nextPageToken === 'string' && nextPageToken !== '' ? nextPageToken : undefined;
}

function toDatasets(page: unknown): readonly string[] | undefined {
  const { datasets } = (page ?? {}) as { readonly datasets?: unknown };
  return Array.isArray(datasets) && datasets.every((id) => typeof id === 'string') ? datasets : undefined;
}

function toFiles(page: unknown): readonly SdaFile[] | undefined {
  const { files } = (page ?? {}) as { readonly files?: unknown };
  if (!Array.isArray(files)) return undefined;
  const found = files.map(toFile).filter((file) => file !== undefined);
  return found.length === files.length ? found : undefined;
}

function toFile(item: unknown): SdaFile | undefined {
  const { fileId, filePath, checksums = [] } = (item ?? {}) as { readonly [Key in keyof SdaFile]?: unknown };
  if (typeof fileId !== 'string' || fileId === '' || typeof filePath !== 'string') return undefined;
  if (!Array.isArray(checksums) || !checksums.every(isChecksum)) return undefined;
  return { fileId, filePath, checksums: checksums.map(({ type, checksum }) => ({ type, checksum })) };
}

function isChecksum(item: unknown): item is SdaFile['checksums'][number] {
  const { type, checksum } = (item ?? {}) as { readonly type?: unknown; readonly checksum?: unknown };
  return typeof type === 'string' && typeof checksum === 'string';
}
