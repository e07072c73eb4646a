import { parseHtsgetPath } from '@htskit/htsget';
import { negotiateCoding } from '@htskit/http';
import { negotiateMediaType } from '@htskit/protocol';
import { type DetailedListing, type DetailsOptions, describeObject, listDetails } from './object-details.js';
import { PageAssets } from './page-assets.js';

export interface PageOptions extends DetailsOptions {
  /** The URL at which clients reach the server: blocks come from its origin. */
  readonly publicUrl: string;
  /** The origins of the stores that send blocks themselves. */
  readonly storeOrigins: readonly string[];
  /** Whether objects are visible to some requests only. */
  readonly isGuarded: boolean;
  /** Default: the built page of this package. */
  readonly assets?: Pick<PageAssets, 'find'> | undefined;
}

/** The hashes of two styles that igv.js adds to its document: that of its colour picker and that of its circular view. */
const IGV_STYLES = [
  "'sha256-ITHmamcImsZ/Je1xrdtDLZVvRSpj1Zokb6uHXORB824='",
  "'sha256-NTwDUA6nIvRRpI2lIBtHJqkV0TlTj4HVmI6vI81fIfM='",
];

/** The documents of the page by their paths, with the sources of their styles. */
const DOCUMENTS: Readonly<Record<string, { readonly file: string; readonly styles: string }>> = {
  '/': { file: 'index.html', styles: ["'self'", ...IGV_STYLES].join(' ') },
  // The explorer of the API has style attributes in its templates.
  '/docs': { file: 'docs.html', styles: "'self' 'unsafe-inline'" },
};

const OBJECTS = '/page/objects';

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
      const policy = contentSecurityPolicy(this.#options, document.styles);
      return this.#send(request, document.file, { ...DOCUMENT_HEADERS, 'content-security-policy': policy });
    }
    if (path === OBJECTS || path.startsWith(`${OBJECTS}/`)) return this.#describe(request, path);
    if (!path.startsWith('/page/')) return undefined;
    return this.#send(request, path.slice(1), ASSET_HEADERS);
  }

  async #send(
    request: Request,
    name: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response | undefined> {
    const asset = await this.#assets.find(name);
    if (asset === undefined) return undefined;
    const isGzipped = negotiateCoding(request.headers.get('accept-encoding'), ['gzip']) !== undefined;
    const bytes = isGzipped ? await asset.gzipped() : asset.bytes;
    const encoding = isGzipped ? { 'content-encoding': 'gzip' } : {};
    return new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { ...headers, ...encoding, 'content-type': asset.mediaType, 'content-length': String(bytes.length) },
    });
  }

  async #describe(request: Request, path: string): Promise<Response> {
    const { isGuarded } = this.#options;
    const parameters = new URL(request.url).searchParams;
    if (path === OBJECTS) {
      const search = parameters.get('search') ?? '';
      const listing: DetailedListing = { ...(await listDetails(request, search, this.#options)), isGuarded };
      return Response.json(listing, { headers: DATA_HEADERS });
    }
    const object = parseHtsgetPath(path.slice(OBJECTS.length));
    const hasExample = parameters.has('example');
    const described =
      object.kind === 'ticket' && (await describeObject(request, { ...object, hasExample }, this.#options));
    if (described) return Response.json(described, { headers: DATA_HEADERS });
    const message = isGuarded ? 'there is no such object, or the token may not see it' : 'there is no such object';
    return Response.json({ message }, { status: 404, headers: DATA_HEADERS });
  }
}

function prefersHtml(request: Request): boolean {
  const accepted = negotiateMediaType(request.headers.get('accept'), ['text/plain', 'application/json', 'text/html']);
  return accepted === 'text/html';
}

const SECURITY_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

const DOCUMENT_HEADERS = {
  ...SECURITY_HEADERS,
  'cache-control': 'no-cache',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept, Accept-Encoding',
};

/** The names of the files contain hashes of their content. */
const ASSET_HEADERS = {
  ...SECURITY_HEADERS,
  'cache-control': 'public, max-age=31536000, immutable',
  vary: 'Accept-Encoding',
};

/** What is listed depends on the token of the request. */
const DATA_HEADERS = { ...SECURITY_HEADERS, 'cache-control': 'no-store' };

/** Returns the policy of the documents (CSP Level 3): their own scripts and styles, and data of the server and its stores. */
function contentSecurityPolicy({ publicUrl, storeOrigins }: PageOptions, styles: string): string {
  const connected = ["'self'", new URL(publicUrl).origin, ...storeOrigins, 'data:'];
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${[...new Set(connected)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
