import { isIP } from 'node:net';

export interface ClientAddressInput {
  /** Of whoever opened the connection. */
  readonly remoteAddress: string | undefined;
  readonly forwardedFor: string | readonly string[] | undefined;
  /** Proxies in front of the server, each of which adds the address that it sees to X-Forwarded-For. */
  readonly trustedProxies: number;
}

/**
 * The address of a client. Of X-Forwarded-For, which clients may begin as they please, only what the server's own proxies
 * have added is believed: the last addresses, as many as there are proxies.
 */
export function clientAddress({ remoteAddress, forwardedFor, trustedProxies }: ClientAddressInput): string | undefined {
  if (trustedProxies === 0) return remoteAddress;
  const hops = [forwardedFor ?? []].flat().join(',').split(',').slice(-trustedProxies);
  const [address] = hops.map((hop) => hop.trim());
  return address === undefined || isIP(address) === 0 ? remoteAddress : address;
}
