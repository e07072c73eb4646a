import { createHash } from 'node:crypto';
import { matchesIfNoneMatch, type PlainResponse, withDataHeaders } from '@htskit/http';
import { negotiateCoding } from '@htskit/http/internal';
import { PageAssets } from '../page/page-assets.js';
import { JBROWSE_PLUGIN } from './browser-paths.js';

/** The files of the plugin in the built page, by their paths. */
const FILES: ReadonlyMap<string, string> = new Map(Object.values(JBROWSE_PLUGIN).map((path) => [path, path.slice(1)]));

/** Serves the plugin of `@htskit/jbrowse-plugin`, so that a configuration of JBrowse needs no other server. */
export class JBrowsePlugin {
  readonly #assets: Pick<PageAssets, 'find'>;
  readonly #tags = new Map<string, string>();

  constructor(assets: Pick<PageAssets, 'find'> = new PageAssets()) {
    this.#assets = assets;
  }

  /** Returns undefined for any other path, and if the plugin was not built. */
  async answer(request: Request, path: string): Promise<PlainResponse | undefined> {
    const name = FILES.get(path);
    const asset = name === undefined ? undefined : await this.#assets.find(name);
    if (asset === undefined) return undefined;
    const isGzipped = negotiateCoding(request.headers.get('accept-encoding'), ['gzip']) !== undefined;
    const bytes = isGzipped ? await asset.gzipped() : asset.bytes;
    // The name of the file stays the same when its content changes.
    const headers = { etag: this.#tagOf(path, bytes, isGzipped), 'cache-control': 'no-cache', vary: 'Accept-Encoding' };
    if (matchesIfNoneMatch(request.headers.get('if-none-match'), headers.etag)) {
      return withDataHeaders({ status: 304, headers, body: null }, request);
    }
    const encoding: Record<string, string> = isGzipped ? { 'content-encoding': 'gzip' } : {};
    const described = {
      ...headers,
      ...encoding,
      'content-type': asset.mediaType,
      'content-length': String(bytes.length),
    };
    return withDataHeaders({ status: 200, headers: described, body: bytes }, request);
  }

  /** Returns the entity tag of a representation, which is computed once. */
  #tagOf(path: string, bytes: Uint8Array, isGzipped: boolean): string {
    const key = `${path} ${isGzipped}`;
    const known = this.#tags.get(key);
    if (known !== undefined) return known;
    const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    this.#tags.set(key, tag);
    return tag;
  }
}
