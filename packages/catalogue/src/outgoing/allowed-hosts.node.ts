import { BlockList, isIP } from 'node:net';
import { StorageError } from '@htskit/io';

/** The hosts that requests may go to whose URLs an answer or an id has chosen. */
export interface AllowedHostsOptions {
  /** Hosts as in `URL.host`: with the port unless it is that of the scheme. An address among them is allowed as it is. */
  readonly hosts: readonly string[];
  /**
   * Networks, such as `10.0.0.0/8` or `::1/128`, that names of hosts may lead to although they are not public. Default: none, except
   * that `localhost` leads to this machine.
   */
  readonly networks?: readonly string[];
}

/** Networks that are not public: of this machine, of this link, private, of documentation, and those that translate to other addresses. */
const RESERVED_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128'];

/** Returns the parts of a network such as `10.0.0.0/8`, or of a single address. Returns undefined for other text. */
function parseNetwork(
  text: string,
): { readonly address: string; readonly prefix: number; readonly type: 'ipv4' | 'ipv6' } | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  const isValid =
    version !== 0 && rest.length === 0 && /^\d{0,3}$/.test(length ?? '0') && length !== '' && prefix <= bits;
  return isValid ? { address, prefix, type: version === 4 ? 'ipv4' : 'ipv6' } : undefined;
}

/** Returns whether a text is a network, such as `10.0.0.0/8`, or an address. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

function toBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === undefined) throw new RangeError(`"${text}" is not a network, such as 10.0.0.0/8`);
    list.addSubnet(network.address, network.prefix, network.type);
  }
  return list;
}

const reserved = toBlockList(RESERVED_NETWORKS);
const loopback = toBlockList(LOOPBACK_NETWORKS);

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Decides where requests may go: by the host of their URL, and by the addresses that its name leads to. */
export class AllowedHosts {
  readonly #hosts: ReadonlySet<string>;
  readonly #networks: BlockList;

  /** Throws RangeError for an invalid network. */
  constructor({ hosts, networks = [] }: AllowedHostsOptions) {
    this.#hosts = new Set(hosts);
    this.#networks = toBlockList(networks);
  }

  /** The hosts that are allowed. */
  get hosts(): readonly string[] {
    return [...this.#hosts];
  }

  /** Throws `StorageError` UNAVAILABLE unless a URL is an HTTP(S) URL, without credentials, of an allowed host. */
  check(text: string): void {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
    const isAllowed = isHttp && url.username === '' && url.password === '' && this.#hosts.has(url.host);
    if (isAllowed) return;
    throw new StorageError('UNAVAILABLE', 'the service names a URL that is not allowed; see hosts', {
      key: url?.host ?? '',
    });
  }

  /** Returns whether a name of a host may lead to an address. */
  isAllowedAddress(hostname: string, address: string): boolean {
    if (isIP(address) === 0) return false;
    if (!contains(reserved, address) || contains(this.#networks, address)) return true;
    return hostname === 'localhost' && contains(loopback, address);
  }
}
