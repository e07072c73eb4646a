import type { ObjectCatalogue, ObjectEntry } from '@htskit/catalogue';
import type { HtsgetOptions } from '@htskit/htsget';
import { availableFormats } from '@htskit/htsget/internal';
import { type Datatype, type HtsgetFormat, negotiateMediaType } from '@htskit/protocol';

/** An object and the formats that it can be answered in. */
export interface ListedObject {
  readonly datatype: Datatype;
  readonly id: string;
  readonly formats: readonly HtsgetFormat[];
}

/** The objects that a request may see. */
export interface ObjectListing {
  readonly objects: readonly ListedObject[];
  /** Whether these are all of them. */
  readonly isComplete: boolean;
}

export interface OverviewOptions extends Pick<HtsgetOptions, 'authorize' | 'conversions'> {
  readonly catalogue: Pick<ObjectCatalogue, 'list'>;
  /** Milliseconds since any point in time. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** The most objects that are listed, and that a request looks for in order to list those that it may see. */
const LISTED_OBJECTS = 100;
const EXAMINED_OBJECTS = 200;
/** A listing reads whole folders, or requests the keys of a bucket. */
const CACHE_MILLISECONDS = 10_000;

const OVERVIEW = `htskit: genomic data over htsget 1.3.1, refget 2.0.0 and sequence collections 1.0.0

/reads/{id}               ticket for regions of an alignment file: BAM, CRAM if it is stored
/variants/{id}            ticket for regions of a variant file: VCF, BCF, VCFTEXT
/reads/service-info       htsget service-info; also /variants/service-info
/sequence/{digest}        a reference sequence, or part of it
/sequence/service-info    refget service-info
/list/collection          the sequence collections, one per file of sequences
/collection/{digest}      names, lengths and sequences of a collection; ?level=1 for digests
/comparison/{a}/{b}       comparison of two collections; POST your own to /comparison/{a}
/service-info             sequence collections service-info
/healthz  /readyz         probes for a supervisor; /metrics for Prometheus
/openapi.json             the OpenAPI document of this server
`;

/**
 * Returns a function that answers `GET /`: the paths of the server and the objects that the request may see, as text, or the
 * objects as JSON.
 */
export function createOverview(options: OverviewOptions): (request: Request) => Promise<Response> {
  const { catalogue, now = () => performance.now() } = options;
  let cached: { readonly entries: Promise<readonly ObjectEntry[]>; readonly expires: number } | undefined;
  const list = (): Promise<readonly ObjectEntry[]> => {
    if (cached === undefined || cached.expires <= now()) {
      // A bucket whose keys may not be listed is served all the same.
      cached = { entries: catalogue.list().catch(() => []), expires: now() + CACHE_MILLISECONDS };
    }
    return cached.entries;
  };
  return async (request) => {
    const listing = await selectVisible(await list(), request, options);
    const isJson = negotiateMediaType(request.headers.get('accept'), [TEXT, JSON_TYPE]) === JSON_TYPE;
    const body = isJson ? JSON.stringify(listing) : `${OVERVIEW}${formatListing(listing)}`;
    const contentType = isJson ? JSON_TYPE : `${TEXT}; charset=utf-8`;
    // The objects depend on the token of the request.
    const headers = { 'content-type': contentType, 'cache-control': 'no-store', vary: 'Accept' };
    return new Response(body, { headers });
  };
}

const TEXT = 'text/plain';
const JSON_TYPE = 'application/json';

async function selectVisible(
  entries: readonly ObjectEntry[],
  request: Request,
  { authorize, conversions }: OverviewOptions,
): Promise<ObjectListing> {
  const objects: ListedObject[] = [];
  let examined = 0;
  for (const { datatype, id, formats } of entries.slice(0, EXAMINED_OBJECTS)) {
    if (objects.length === LISTED_OBJECTS) break;
    examined += 1;
    if (authorize !== undefined && !(await isVisible(request, { datatype, id }, authorize))) continue;
    const files = formats.map((format) => ({ format }));
    objects.push({ datatype, id, formats: availableFormats(files, datatype, { conversions }) });
  }
  return { objects, isComplete: examined === entries.length };
}

async function isVisible(
  request: Request,
  object: Pick<ListedObject, 'datatype' | 'id'>,
  authorize: NonNullable<HtsgetOptions['authorize']>,
): Promise<boolean> {
  try {
    const permission = await authorize({ request, ...object, signal: request.signal });
    return permission !== 'unauthenticated' && permission !== 'forbidden';
  } catch {
    // The hook throws for a request without a valid token, and if it cannot decide.
    return false;
  }
}

function formatListing({ objects, isComplete }: ObjectListing): string {
  if (objects.length === 0) return '';
  const paths = objects.map(({ datatype, id }) => `/${datatype}/${id.split('/').map(encodeURIComponent).join('/')}`);
  const width = Math.max(...paths.map((path) => path.length));
  const lines = objects.map(({ formats }, index) => `${paths[index]?.padEnd(width)}  ${formats.join(' ')}`);
  const more = isComplete ? [] : [`and more: only the first ${objects.length} are listed`];
  return `\nObjects, and the formats that each can be answered in:\n\n${[...lines, ...more].join('\n')}\n`;
}
