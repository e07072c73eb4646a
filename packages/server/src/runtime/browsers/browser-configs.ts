import { type PlainResponse, withDataHeaders } from '@htskit/http';
import { queryParameters } from '@htskit/http/internal';
import { BROWSER_CONFIGS } from '../request-route.js';
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
    if (path !== BROWSER_CONFIGS.igv && path !== BROWSER_CONFIGS.jbrowse) return this.#plugin.answer(request, path);
    const genomes = await this.#genomes.list(request);
    if (path === BROWSER_CONFIGS.jbrowse) {
      const needsToken = request.headers.has('authorization');
      const options = { publicUrl: this.#publicUrl, hasCoverage: this.#hasCoverage, needsToken };
      return toAnswer(toJBrowseConfig(genomes, options), request);
    }
    const { served } = genomes;
    const wanted = queryParameters(request).get('genome');
    const genome = wanted === null ? served[0] : served.find(({ digest }) => digest === wanted);
    if (genome !== undefined) return toAnswer(toIgvSession(genome, this.#publicUrl), request);
    const message = wanted === null ? 'there is no genome that the request may see' : 'there is no such genome';
    return toAnswer({ message }, request, 404);
  }
}

/** The answer is not cached: a token decides what a request may see. */
function toAnswer(document: object, request: Request, status = 200): PlainResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return withDataHeaders({ status, headers, body: JSON.stringify(document) }, request);
}
