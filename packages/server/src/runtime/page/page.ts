import { randomBytes } from 'node:crypto';
import { parseHtsgetPath } from '@htskit/htsget/internal';
import { DATA_HEADERS, negotiateCoding } from '@htskit/http/internal';
import { negotiateMediaType } from '@htskit/protocol';
import { listAnnotations, readAnnotation } from '../service/annotations.js';
import type { CollectionNames } from '../service/collection-names.js';
import { type ListedObject, toListQuery } from '../service/visible-objects.js';
import {
  checkObject,
  type DetailedListing,
  type DetailsOptions,
  describeObject,
  findWholeObject,
  listDetails,
} from './object-details.js';
import { PageAssets } from './page-assets.js';

export interface PageOptions extends DetailsOptions {
  /** The URL at which clients reach the server: blocks come from its origin. */
  readonly publicUrl: string;
  /** The origins of the stores that send blocks themselves. */
  readonly storeOrigins: readonly string[];
  /** Whether objects are visible to some requests only. */
  readonly isGuarded: boolean;
  /** Finds the names of the files of collections, for requests that may read them. Default: they have none. */
  readonly collectionNames?: (request: Request) => Promise<CollectionNames>;
  /** Whether the page checks all objects that it lists: files on this machine are read fast. Default false. */
  readonly checksListed?: boolean;
  /** Default: the built page of this package. */
  readonly assets?: Pick<PageAssets, 'find'>;
}

/** The hashes of two styles that igv.js adds to its document: that of its colour picker and that of its circular view. */
const IGV_STYLES = [
  "'sha256-ITHmamcImsZ/Je1xrdtDLZVvRSpj1Zokb6uHXORB824='",
  "'sha256-NTwDUA6nIvRRpI2lIBtHJqkV0TlTj4HVmI6vI81fIfM='",
];

interface PageDocument {
  readonly file: string;
  /** The sources of its styles (CSP Level 3), `{nonce}` among them. */
  readonly styles: string;
  /** The policies of Trusted Types that its scripts create. */
  readonly policies: string;
}

/** The documents of the page by their paths. */
const DOCUMENTS: Readonly<Record<string, PageDocument>> = {
  '/': {
    file: 'index.html',
    styles: ['{nonce}', ...IGV_STYLES].join(' '),
    policies: 'default htskit dompurify',
  },
  // The explorer of the API has style attributes in its templates. A nonce would forbid them.
  '/docs': { file: 'docs.html', styles: "'self' 'unsafe-inline'", policies: 'default htskit lit-html' },
};

/** The placeholder of a nonce in the built documents. */
const NONCE = /"NONCE"/g;

const OBJECTS = '/page/objects';
const COLLECTIONS = '/page/collections';

/** The web page: its documents, its files, and the data that the protocols do not have. */
export class Page {
  readonly #options: PageOptions;
  readonly #assets: Pick<PageAssets, 'find'>;

  constructor(options: PageOptions) {
    this.#options = options;
    this.#assets = options.assets ?? new PageAssets();
  }

  /** Returns undefined for any other path, and if a client of `/` prefers something else to HTML. */
  async answer(request: Request, path: string): Promise<Response | undefined> {
    const document = DOCUMENTS[path];
    if (document !== undefined) {
      if (path === '/' && !prefersHtml(request)) return undefined;
      return this.#sendDocument(document);
    }
    if (path === OBJECTS || path.startsWith(`${OBJECTS}/`)) return this.#describe(request, path);
    if (path === COLLECTIONS) {
      const names: CollectionNames = (await this.#options.collectionNames?.(request)) ?? {};
      return Response.json(names, { headers: LISTING_HEADERS });
    }
    if (!path.startsWith('/page/')) return undefined;
    return this.#sendAsset(request, path.slice(1));
  }

  async #sendDocument(document: PageDocument): Promise<Response | undefined> {
    const asset = await this.#assets.find(document.file);
    if (asset === undefined) return undefined;
    const nonce = randomBytes(18).toString('base64');
    const html = new TextDecoder().decode(asset.bytes).replaceAll(NONCE, `"${nonce}"`);
    const policy = contentSecurityPolicy(this.#options, document).replaceAll('{nonce}', `'nonce-${nonce}'`);
    return new Response(html, {
      headers: { ...DOCUMENT_HEADERS, 'content-type': asset.mediaType, 'content-security-policy': policy },
    });
  }

  async #sendAsset(request: Request, name: string): Promise<Response | undefined> {
    const asset = await this.#assets.find(name);
    if (asset === undefined) return undefined;
    const isGzipped = negotiateCoding(request.headers.get('accept-encoding'), ['gzip']) !== undefined;
    const bytes = isGzipped ? await asset.gzipped() : asset.bytes;
    const encoding: Record<string, string> = isGzipped ? { 'content-encoding': 'gzip' } : {};
    return new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: {
        ...ASSET_HEADERS,
        ...encoding,
        'content-type': asset.mediaType,
        'content-length': String(bytes.length),
      },
    });
  }

  async #describe(request: Request, path: string): Promise<Response> {
    const { isGuarded, checksListed = false } = this.#options;
    const parameters = new URL(request.url).searchParams;
    if (path === OBJECTS) {
      const listing: DetailedListing = {
        ...(await listDetails(request, toListQuery(parameters), this.#options)),
        isGuarded,
        checksListed,
      };
      return Response.json(listing, { headers: LISTING_HEADERS });
    }
    const object = parseHtsgetPath(path.slice(OBJECTS.length));
    const isCheck = object.kind === 'ticket' && parameters.has('check');
    const faults = isCheck && (await checkObject(request, object, this.#options));
    if (faults) return Response.json(faults, { headers: LISTING_HEADERS });
    const annotation = parameters.get('annotation');
    if (object.kind === 'ticket' && annotation !== null) return this.#sendAnnotation(request, object, annotation);
    const hasExample = parameters.has('example');
    const described =
      object.kind === 'ticket' && (await describeObject(request, { ...object, hasExample }, this.#options));
    if (described) return Response.json(described, { headers: LISTING_HEADERS });
    const message = isGuarded ? 'there is no such object, or the token may not see it' : 'there is no such object';
    return Response.json({ message }, { status: 404, headers: LISTING_HEADERS });
  }

  /** Lists the annotation files beside an object, or sends the one of a name. */
  async #sendAnnotation(
    request: Request,
    object: Pick<ListedObject, 'datatype' | 'id'>,
    name: string,
  ): Promise<Response> {
    const files = (await findWholeObject(request, object, this.#options)) ?? [];
    if (name === '') return Response.json(await listAnnotations(files), { headers: LISTING_HEADERS });
    const bytes = await readAnnotation(files, name);
    if (bytes === undefined)
      return Response.json({ message: 'there is no such file' }, { status: 404, headers: LISTING_HEADERS });
    const headers = {
      ...LISTING_HEADERS,
      'x-content-type-options': 'nosniff',
      'content-type': 'text/plain; charset=utf-8',
    };
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
  }
}

function prefersHtml(request: Request): boolean {
  const accepted = negotiateMediaType(request.headers.get('accept'), ['text/plain', 'application/json', 'text/html']);
  return accepted === 'text/html';
}

const SECURITY_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

const DOCUMENT_HEADERS = {
  ...SECURITY_HEADERS,
  // A nonce is used once.
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept',
};

/** The names of the files contain hashes of their content. */
const ASSET_HEADERS = {
  ...SECURITY_HEADERS,
  'cache-control': 'public, max-age=31536000, immutable',
  vary: 'Accept-Encoding',
};

/** What is listed depends on the token of the request. */
const LISTING_HEADERS = { ...DATA_HEADERS, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };

/**
 * Returns the policy of a document (CSP Level 3, Trusted Types). Scripts need the nonce of the response, which modules pass on to
 * what they import: no other path of this origin, such as that of a block, is ever a script. Data may come from the server and its
 * stores.
 */
function contentSecurityPolicy({ publicUrl, storeOrigins }: PageOptions, { styles, policies }: PageDocument): string {
  const connected = ["'self'", new URL(publicUrl).origin, ...storeOrigins, 'data:'];
  return [
    "default-src 'none'",
    'script-src {nonce}',
    `style-src ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${[...new Set(connected)].join(' ')}`,
    "frame-src 'none'",
    "object-src 'none'",
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${policies}`,
  ].join('; ');
}
