import { type FetchServer, openFetchServer } from '@htskit/server/fetch';
import { Hono } from 'hono';
import type { LambdaEvent } from 'hono/aws-lambda';
import { limitResponse, type ResponseMode } from './response-mode.js';
import { type Environment, readSettings } from './settings.js';

interface Bindings {
  readonly requestContext: LambdaEvent['requestContext'];
}

/**
 * Opens the server of a function, once for all of its invocations, so that indexes, headers and blocks stay cached. Without a
 * public URL in the settings, it is that of the function, which the first event names. Throws the same errors as `readSettings`.
 */
export async function openFunction(
  environment: Environment,
  mode: ResponseMode,
): Promise<Hono<{ Bindings: Bindings }>> {
  const { publicUrl: configured, ...settings } = await readSettings(environment, mode);
  const open = (publicUrl: string): Promise<FetchServer> =>
    openFetchServer({ ...settings, publicUrl, log: (message) => console.error(message) });
  let server = configured === undefined ? undefined : await open(configured);
  const app = new Hono<{ Bindings: Bindings }>();
  app.all('*', async ({ req: { raw: request }, env: { requestContext } }) => {
    server ??= await open(urlOf(requestContext));
    // The id that the log of the function has.
    if ('requestId' in requestContext) request.headers.set('x-request-id', requestContext.requestId);
    return limitResponse(await server.fetch(request), mode);
  });
  return app;
}

/**
 * Returns the URL by which AWS found the function. Load balancers pass on only the `Host` of a request, which its client chose, and
 * which must not decide where the block URLs of others lead.
 */
function urlOf(requestContext: LambdaEvent['requestContext']): string {
  if ('domainName' in requestContext && requestContext.domainName) return `https://${requestContext.domainName}`;
  throw new Error('set HTSKIT_PUBLIC_URL: the event does not have the URL of the function');
}
