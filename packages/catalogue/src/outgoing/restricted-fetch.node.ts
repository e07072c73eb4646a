import { lookup } from 'node:dns';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { Fetch } from '@htskit/http';
import type { AllowedHosts } from './allowed-hosts.node.js';

/** Resolves the name of a host. For tests. */
export type Lookup = typeof lookup;

/** Statuses whose responses have no body (Fetch, "null body status"). */
const NO_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/**
 * Returns a `fetch` for requests without a body, which connects to allowed hosts and addresses only. The address that was checked is
 * the one that is connected to, so that a name cannot lead elsewhere meanwhile. It follows no redirects. The global `fetch` offers no
 * look at the address.
 */
export function restrictedFetch(allowed: AllowedHosts, resolve: Lookup = lookup): Fetch {
  // The agents are not shared: those of other requests keep connections that were not checked.
  const agentOptions = { keepAlive: true, maxFreeSockets: 16, lookup: checkedLookup(allowed, resolve) };
  const [httpAgent, httpsAgent] = [new HttpAgent(agentOptions), new HttpsAgent(agentOptions)];
  return (url, { method = 'GET', headers, signal }) =>
    new Promise((fulfil, reject) => {
      allowed.check(url);
      const target = new URL(url);
      const isSecure = target.protocol === 'https:';
      const send = isSecure ? requestHttps : requestHttp;
      const options = {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        agent: isSecure ? httpsAgent : httpAgent,
        ...(signal && { signal }),
      };
      const outgoing = send(target, options, (incoming) => {
        try {
          fulfil(toResponse(incoming, method));
        } catch (error) {
          incoming.destroy();
          reject(error);
        }
      });
      outgoing.on('error', reject).end();
    });
}

function checkedLookup(allowed: AllowedHosts, resolve: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const [first] = addresses;
      const isAllowed = addresses.every(({ address }) => allowed.isAllowedAddress(hostname, address));
      if (first === undefined || !isAllowed) {
        return callback(new Error('the name of the host leads to an address that is not public; see networks'), []);
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function toResponse(incoming: IncomingMessage, method: string): Response {
  const { statusCode: status = 502, headers: received } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(received))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  if (method === 'HEAD' || NO_BODY.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, { status, headers });
}
