import { type PlainResponse, withDataHeaders } from '@htskit/http';
import { queryParameters } from '@htskit/http/internal';
import { BROWSER_CONFIGS } from './browser-paths.js';
import { toIgvSession } from './igv-session.js';
import { toJBrowseConfig } from './jbrowse-config.js';
import { JBrowsePlugin } from './jbrowse-plugin.js';
import { ServedGenomes, type ServedGenomesOptions } from './served-genomes.js';

export interface BrowserConfigsOptions extends ServedGenomesOptions {
  /** The URL at which clients reach the server. */
  readonly publicUrl: string;
}

/** The configurations of genome browsers that show what a request may see, and the plugin of JBrowse. */
export class BrowserConfigs {
  readonly #publicUrl: string;
  readonly #hasCoverage: boolean;
  readonly #genomes: ServedGenomes;
  readonly #plugin = new JBrowsePlugin();

  constructor({ publicUrl, ...options }: BrowserConfigsOptions) {
    this.#publicUrl = publicUrl;
    this.#hasCoverage = options.summaries !== undefined;
    this.#genomes = new ServedGenomes(options);
  }

  /** Returns undefined for any other path. Throws the same errors as `ServedGenomes.list`. */
  async answer(request: Request, path: string): Promise<PlainResponse | undefined> {
    if (!PATHS.includes(path)) return this.#plugin.answer(request, path);
    const publicUrl = this.#publicUrl;
    const genomes = await this.#genomes.list(request);
    if (path === BROWSER_CONFIGS.jbrowse) {
      const needsToken = request.headers.has('authorization');
      return toAnswer(toJBrowseConfig(genomes, { publicUrl, hasCoverage: this.#hasCoverage, needsToken }), request);
    }
    const { served } = genomes;
    const wanted = queryParameters(request).get('genome');
    const genome = wanted === null ? served[0] : served.find(({ digest }) => digest === wanted);
    const reader = path === BROWSER_CONFIGS.igvDesktop ? 'desktop' : 'igv.js';
    if (genome !== undefined) return toAnswer(toIgvSession(genome, { publicUrl, reader }), request);
    const message = wanted === null ? 'there is no genome that the request may see' : 'there is no such genome';
    return toAnswer({ message }, request, 404);
  }
}

const PATHS: readonly string[] = Object.values(BROWSER_CONFIGS);

/** The answer is not cached: a token decides what a request may see. */
function toAnswer(document: object, request: Request, status = 200): PlainResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return withDataHeaders({ status, headers, body: JSON.stringify(document) }, request);
}
