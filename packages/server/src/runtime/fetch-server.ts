import { toResponse } from '@htskit/http';
import { DATA_HEADERS } from '@htskit/http/internal';
import { BlockCache } from '@htskit/storage/cache';
import { PACKAGE_VERSION } from '../package-version.js';
import { OperationalPaths } from './gate/operational-paths.js';
import { type TextResponse, toTextResponse } from './gate/operational-responses.js';
import { routeOf } from './request-route.js';
import { featuresOf } from './service/features.js';
import { createFailureLog } from './service/handlers.js';
import type { ServedFiles } from './service/served-files.js';
import { openServedFiles, type ServiceOptions, ServiceResources } from './service-resources.js';

/** Settings of a server without a socket. */
export interface FetchServerOptions extends ServiceOptions {
  /** The URL at which clients reach the server. Block URLs begin with it. */
  readonly publicUrl: string;
  /** Whether there is a web page at `/` and `/docs`. Default false. */
  readonly page?: boolean;
}

/** A server that is called with requests, rather than one that listens. */
export interface FetchServer {
  /** Answers a request for any path of the server. Never rejects: a failure is logged, and answered with 500. */
  fetch(request: Request): Promise<Response>;
  /** Closes the files and ends the threads. Running responses may fail. */
  close(): Promise<void>;
}

/**
 * Opens a server that answers what `htskit serve` answers, for a runtime that owns the socket, such as AWS Lambda or another
 * server. That runtime limits connections, sheds load, logs accesses and ends TLS: there are no such options here, and no
 * metrics, traces, audit records or further processes. Throws the same errors as `serve`.
 *
 * @example
 * const server = await openFetchServer({
 *   paths: ['/data'],
 *   publicUrl: 'https://data.example.org',
 *   authority: 'ga4gh',
 *   log: console.error,
 * });
 * const response = await server.fetch(new Request('https://data.example.org/reads/sample'));
 */
export async function openFetchServer(given: FetchServerOptions): Promise<FetchServer> {
  const options = { ...given, page: given.page ?? false, publicUrl: given.publicUrl.replace(/\/+$/, '') };
  const { publicUrl } = options;
  const files = await openServedFiles(options, new BlockCache({ maxBytes: options.blockCacheBytes }));
  const resources = new ServiceResources(options);
  const close = async (): Promise<void> => {
    await Promise.all([files.close(), resources.close()]);
  };
  try {
    const report = createFailureLog(options.log);
    const handler = resources.createHandler(options, files, { publicUrl, report });
    const operation = createOperation(options, files);
    const fetch = async (request: Request): Promise<Response> => {
      const route = routeOf(request.url);
      try {
        const operational = await operation(request, route);
        if (operational !== undefined) return operational;
        const response = toResponse(await handler(request, route));
        if (request.method !== 'HEAD') return response;
        response.body?.cancel().catch(() => undefined);
        return new Response(null, response);
      } catch (error) {
        const requestId = request.headers.get('x-request-id') ?? undefined;
        report(error, { name: route.nameObject?.(), requestId });
        return toDataResponse(toTextResponse(500, 'internal server error'), request);
      }
    };
    return { fetch, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates the handler of `/healthz`, `/readyz` and `/openapi.json`. It returns undefined for every other path. */
function createOperation(
  options: FetchServerOptions,
  { guards, hasLocal }: ServedFiles,
): (request: Request, route: ReturnType<typeof routeOf>) => Promise<Response | undefined> {
  const { publicUrl, authority, origins = '*' } = options;
  const features = featuresOf(options);
  const described = { authority, publicUrl, features, version: PACKAGE_VERSION, isMetricsPath: false };
  const paths = new OperationalPaths({});
  paths.state = 'ready';
  paths.readStores = () => ({ stores: guards, hasLocal });
  return async (request, route) => {
    const { method } = request;
    if (route.template === '/openapi.json' && paths.openApi === undefined) {
      const { createOpenApi } = await import('./openapi/document.js');
      paths.openApi = JSON.stringify(createOpenApi(described));
    }
    const headers = {
      accept: request.headers.get('accept') ?? undefined,
      origin: request.headers.get('origin') ?? undefined,
    };
    const response = await paths.answer({ method, route, headers }, { origins, fault: undefined });
    return response && toDataResponse(response, request);
  };
}

function toDataResponse({ status, headers, body }: TextResponse, { method }: Request): Response {
  return new Response(method === 'HEAD' ? null : body, { status, headers: { ...DATA_HEADERS, ...headers } });
}
