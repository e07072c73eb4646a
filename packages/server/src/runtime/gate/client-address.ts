import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import proxyAddress from 'proxy-addr';

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

/** Counts what each client address holds. The addresses of an IPv6 /64 network count as one: a single host has them all. */
export class ClientCounts {
  readonly #counts = new Map<string, number>();

  /** The number of clients that hold anything. */
  get size(): number {
    return this.#counts.size;
  }

  /** Adds one, or an amount, and returns how much the client holds now. */
  add(address: string | undefined, amount = 1): number {
    const client = toClient(address);
    const count = (this.#counts.get(client) ?? 0) + amount;
    this.#counts.set(client, count);
    return count;
  }

  /** Removes what was added. */
  remove(address: string | undefined, amount = 1): void {
    const client = toClient(address);
    const count = (this.#counts.get(client) ?? amount) - amount;
    if (count === 0) this.#counts.delete(client);
    else this.#counts.set(client, count);
  }
}

const IPV4_MAPPED = /^::ffff:(?=\d+\.)/i;

/** Returns an IPv4 address as it is, and the first four of the eight groups of an IPv6 address (RFC 4291 §2.2). */
export function toClient(address = ''): string {
  if (!isIPv6(address)) return address;
  if (IPV4_MAPPED.test(address)) return address.replace(IPV4_MAPPED, '');
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0');
  return [...groups, ...zeros, ...after].slice(0, 4).join(':').toLowerCase();
}
