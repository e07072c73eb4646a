import { ClientError } from '@htskit/client';
import { createTransport, readBytes, sendRequest } from '@htskit/http';
import type { ListedObject } from '../../runtime/service/visible-objects.js';
import { parseServiceUrl } from '../../service-url.js';
import { requestHeaders, takeCredentials } from '../url-request.js';

/** A protocol that a service implements, as its service-info says. */
interface ListedProtocol {
  /** The path below the URL: `reads`, for example. */
  readonly path: string;
  readonly type: string;
  readonly name: string;
  /** The formats of htsget, or the algorithms of refget. */
  readonly supported: readonly string[];
}

/** The protocols and objects that a service says that it serves. */
export interface ServiceListing {
  /** The URL without its query, which may hold a secret. */
  readonly source: string;
  readonly protocols: readonly ListedProtocol[];
  /** Undefined if the service does not list its objects. */
  readonly objects?: readonly ListedObject[];
  /** Whether these are all objects that the token may see: there is a limit of 100,000. */
  readonly isComplete?: boolean;
}

export interface ListServiceOptions {
  /** Request headers, each as `Name: value`. */
  readonly headerLines?: readonly string[];
  readonly tokenFile?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

const MAX_DOCUMENT_BYTES = 2 ** 22;
/** The most pages of objects that are requested. */
const MOST_PAGES = 1000;
/** The paths of services below a URL. */
const PATHS = ['reads', 'variants', 'sequence'];

/**
 * Fetches the service-info documents below a URL, and the list of objects that htskit servers have there. Throws UsageError for an
 * invalid URL or header, `ClientError` if the server cannot be reached, and Error if there is no service.
 */
export async function listService(
  text: string,
  { headerLines: lines = [], tokenFile, environment = {}, signal }: ListServiceOptions,
): Promise<ServiceListing> {
  const url = parseServiceUrl(text);
  const credentials = takeCredentials(url);
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  const originHeaders = await requestHeaders({ lines, tokenFile, credentials, environment });
  const transport = createTransport({ signal, retries: 0 }, ({ code, message, ...details }) => {
    return new ClientError(code === 'INVALID_REQUEST' ? 'INVALID_QUERY' : code, message, details);
  });
  const read = async (path: string, after?: string): Promise<Document | undefined> => {
    const page = after === undefined ? '' : `${url.search === '' ? '?' : '&'}after=${encodeURIComponent(after)}`;
    const headers = { accept: 'application/json' };
    const response = await sendRequest(transport, {
      url: `${base}/${path}${url.search}${page}`,
      headers,
      originHeaders,
    });
    const bytes = await readBytes(response, MAX_DOCUMENT_BYTES, transport);
    return response.status === 200 ? parseObject(new TextDecoder().decode(bytes)) : undefined;
  };
  const infos = await Promise.all(
    PATHS.map(async (path) => describeProtocol(path, await read(`${path}/service-info`))),
  );
  const protocols = infos.filter((info) => info !== undefined);
  if (protocols.length === 0) {
    throw new Error(
      `there is no htsget or refget service below ${base}/; expected the part of its URLs before /reads, /variants or /sequence`,
    );
  }
  return { source: `${base}/`, protocols, ...(await readObjects((after) => read('', after))) };
}

type Document = Readonly<Record<string, unknown>>;

function parseObject(text: string): Document | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describeProtocol(path: string, info: Document | undefined): ListedProtocol | undefined {
  const details = info?.['htsget'] ?? info?.['refget'];
  if (info === undefined || !isObject(details)) return undefined;
  const { artifact = '', version = '' } = isObject(info['type']) ? info['type'] : {};
  const supported = textsOf(details['formats'] ?? details['algorithms']);
  const type = `${toText(artifact)} ${toText(version)}`;
  return { path, type, name: toText(info['name']), supported };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Reads the pages of the list of objects. A service without one has no such list. */
async function readObjects(
  read: (after: string | undefined) => Promise<Document | undefined>,
): Promise<Pick<ServiceListing, 'objects' | 'isComplete'>> {
  const objects: ListedObject[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const document = await read(after);
    const listed = document?.['objects'];
    if (!Array.isArray(listed)) return pages === 0 ? {} : { objects, isComplete: false };
    objects.push(...listed.filter(isObject).map(toObject));
    const next = document?.['next'];
    if (typeof next !== 'string') return { objects, isComplete: document?.['isComplete'] === true };
    after = next;
  }
  return { objects, isComplete: false };
}

function toObject({ datatype, id, formats }: Document): ListedObject {
  return {
    datatype: datatype === 'variants' ? 'variants' : 'reads',
    id: String(id),
    formats: textsOf(formats) as ListedObject['formats'],
  };
}
