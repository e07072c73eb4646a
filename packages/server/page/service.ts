import type { CoverageDocument } from '@htskit/coverage/handler';
import { encodePercents } from '@htskit/io/internal';
import type { HtsgetErrorBody, RefgetErrorBody, Ticket } from '@htskit/protocol';
import type { CollectionComparison } from '@htskit/refget';
import type { DetailedListing, DetailedObject, FaultKind } from '../src/runtime/page/object-details.js';
import type { CollectionNames } from '../src/runtime/service/collection-names.js';
import type { Interval } from './region/interval.js';
import { ServiceError } from './service-error.js';
import { token } from './token/token.js';

/** The URL of the server, with a slash at its end: the page may be below the path of a proxy. */
export const BASE: URL = new URL('./', document.baseURI);

/** Returns the path of an object relative to the server, with its id encoded. */
function objectPath({ datatype, id }: { readonly datatype: string; readonly id: string }): string {
  return `${datatype}/${id.split('/').map(encodeURIComponent).join('/')}`;
}

/** Returns the path of an annotation file beside an object. */
export function annotationPath(object: { readonly datatype: string; readonly id: string }, name: string): string {
  return `page/objects/${objectPath(object)}?annotation=${encodeURIComponent(name)}`;
}

interface RequestOptions {
  readonly method?: 'GET' | 'HEAD';
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/** Requests a path of the server with the token. Throws ServiceError for any status but 2xx. */
async function request(
  path: string,
  { method = 'GET', accept = 'application/json', signal }: RequestOptions = {},
): Promise<Response> {
  const headers = { accept, ...(token.get() !== '' && { authorization: `Bearer ${token.get()}` }) };
  let response: Response;
  try {
    response = await fetch(new URL(path, BASE), { method, headers, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ServiceError('the server does not answer', 0);
  }
  if (response.ok) return response;
  throw new ServiceError(await errorMessage(response), response.status);
}

/** Reads the message of an error of either protocol, or of the page itself. */
async function errorMessage(response: Response): Promise<string> {
  try {
    const body = (await response.json()) as Partial<HtsgetErrorBody & RefgetErrorBody>;
    const message = body.htsget?.message ?? body.message;
    if (typeof message === 'string') return message;
  } catch {
    // A proxy answers with HTML, for example.
  }
  return `the server answers with status ${response.status}`;
}

async function json<Value>(path: string, options?: RequestOptions): Promise<Value> {
  return (await (await request(path, options)).json()) as Value;
}

/** The maximum number of bytes of a collection that the page reads: about 150,000 sequences. */
const MOST_COLLECTION_BYTES = 2 ** 24;

/** Reads a collection at level 2. Throws ServiceError for one of too many sequences. */
async function readCollection(digest: string): Promise<Collection> {
  const { body } = await request(`collection/${encodeURIComponent(digest)}?level=2`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    parts.push(part.value);
    bytes += part.value.length;
    if (bytes <= MOST_COLLECTION_BYTES) continue;
    await reader?.cancel();
    throw new ServiceError('the collection has too many sequences for this page', 0);
  }
  return JSON.parse(await new Blob(parts).text()) as Collection;
}

/** Reads the depth of reads, or the density of variants. */
async function readCoverage(
  { datatype, id }: { readonly datatype: string; readonly id: string },
  { referenceName, start, end, bins }: CoverageQuery,
  signal?: AbortSignal,
): Promise<CoverageBins> {
  const region = `referenceName=${encodePercents(referenceName)}&start=${start}&end=${end}`;
  const path = `${objectPath({ datatype: 'coverage', id })}?datatype=${datatype}&${region}&bins=${bins}`;
  const { mean, counts = [], ...values } = await json<Partial<CoverageDocument> & CoverageBins>(path, { signal });
  return { ...values, mean: mean ?? Array.from(counts) };
}

/** Returns the URL of the depth of reads as bigWig; undefined if the server does not have it. */
async function findBigWig({
  datatype,
  id,
}: {
  readonly datatype: string;
  readonly id: string;
}): Promise<string | undefined> {
  if (datatype !== 'reads') return undefined;
  const path = `${objectPath({ datatype: 'coverage', id })}.bw`;
  try {
    await request(path, { method: 'HEAD' });
    return new URL(path, BASE).href;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** The level 2 form of a sequence collection. */
export interface Collection {
  readonly names: readonly string[];
  readonly lengths: readonly number[];
  readonly sequences: readonly string[];
}

export interface SequenceMetadata {
  /** The digest `SQ.…`, under the name of the standards body. */
  readonly ga4gh?: string;
  readonly std?: string;
  readonly md5: string;
  readonly trunc512: string;
  readonly length: number;
  readonly circular?: boolean;
  readonly aliases: readonly { readonly naming_authority: string; readonly alias: string }[];
}

export interface CollectionList {
  readonly results: readonly string[];
  readonly pagination: { readonly total: number };
}

/** The answer to `coverage/{id}`: values of bins of equal width. */
export interface CoverageBins {
  /** Whether the values are estimates from the index. */
  readonly estimated: boolean;
  readonly mean: readonly number[];
  readonly max?: readonly number[];
}

/** A region in bins. */
interface CoverageQuery extends Interval {
  readonly referenceName: string;
  readonly bins: number;
}

/** The resources of the server that the page shows. All throw ServiceError. */
export const service = {
  listing: (query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<DetailedListing> =>
    json(`page/objects?${new URLSearchParams(query)}`, { signal }),
  object: (object: { readonly datatype: string; readonly id: string }, hasExample: boolean): Promise<DetailedObject> =>
    json(`page/objects/${objectPath(object)}${hasExample ? '?example' : ''}`),
  /** Checks the files of an object: each kind of fault is named once. */
  faults: (
    object: { readonly datatype: string; readonly id: string },
    signal: AbortSignal,
  ): Promise<readonly FaultKind[]> => json(`page/objects/${objectPath(object)}?check`, { signal }),
  /** The names of the annotation files beside an object. */
  annotations: (object: { readonly datatype: string; readonly id: string }): Promise<readonly string[]> =>
    json(`page/objects/${objectPath(object)}?annotation=`),
  /** Reads an annotation file as text. */
  annotation: async (object: { readonly datatype: string; readonly id: string }, name: string): Promise<string> => {
    const response = await request(annotationPath(object, name));
    return response.text();
  },
  coverage: readCoverage,
  bigWig: findBigWig,
  ticket: (path: string, signal?: AbortSignal): Promise<Ticket> => json(path, { signal }),
  collections: (): Promise<CollectionList> => json('list/collection'),
  /** The names of the files of collections, by digest. */
  collectionNames: (): Promise<CollectionNames> => json('page/collections'),
  collection: readCollection,
  comparison: (a: string, b: string): Promise<CollectionComparison> =>
    json(`comparison/${encodeURIComponent(a)}/${encodeURIComponent(b)}`),
  metadata: async (id: string): Promise<SequenceMetadata> => {
    const { metadata } = await json<{ metadata: SequenceMetadata }>(`sequence/${encodeURIComponent(id)}/metadata`);
    return metadata;
  },
  bases: async (id: string, start: number, end: number, signal?: AbortSignal): Promise<string> => {
    const path = `sequence/${encodeURIComponent(id)}?start=${start}&end=${end}`;
    return (await request(path, { accept: 'text/plain', ...(signal && { signal }) })).text();
  },
};
