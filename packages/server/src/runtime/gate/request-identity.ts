import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';

/** Returns the id that a request came with if it is safe in logs and headers, and a new one otherwise. */
export function toRequestId(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:+/=-]{1,128}$/.test(header) ? header : randomUUID();
}

/**
 * Returns the address of a client. A client can begin X-Forwarded-For with anything, so only the addresses that the trusted
 * proxies appended count: the last ones, one for each proxy.
 */
export function clientAddress(incoming: IncomingMessage, trustedProxies: number): string | undefined {
  const { remoteAddress } = incoming.socket;
  if (trustedProxies === 0) return remoteAddress;
  const address = proxyAddress(incoming, (_, hop) => hop < trustedProxies);
  return isIP(address) === 0 ? remoteAddress : address;
}
