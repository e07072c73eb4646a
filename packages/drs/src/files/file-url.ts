import { fromBase64Url, toBase64Url } from '@htskit/io';
import { DrsError } from '../drs-error.js';

/** The permission of a signed URL: to read all bytes of a version of an object until it expires. */
export interface FileClaim {
  readonly id: string;
  /** Undefined if the store reports none. */
  readonly version?: string | undefined;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly expires: number;
  readonly subject?: string | undefined;
}

/** Separates these signatures from those of others that use the keys, such as block URLs. */
const DOMAIN = 'htskit file\n';
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' } as const;
const MIN_KEY_BYTES = 16;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Signs the URLs of files, for clients that cannot send their token or passport to them. */
export class FileUrlSigner {
  readonly #keys: readonly Promise<CryptoKey>[];

  /** Throws RangeError for a key of fewer than 16 bytes. */
  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    if (keys.some(({ length }) => length < MIN_KEY_BYTES)) {
      throw new RangeError(`signingKeys must have at least ${MIN_KEY_BYTES} bytes each`);
    }
    this.#keys = keys.map((key) => crypto.subtle.importKey('raw', key.slice(), ALGORITHM, false, ['sign', 'verify']));
  }

  /** Returns the token of a claim, for the parameter `token` of the URL. */
  async sign(claim: FileClaim): Promise<string> {
    const text = toBase64Url(encoder.encode(JSON.stringify(claim)));
    const [first] = await Promise.all(this.#keys);
    if (first === undefined) throw new RangeError('there is no key');
    const signature = await crypto.subtle.sign(ALGORITHM, first, encoder.encode(DOMAIN + text));
    return `${text}.${toBase64Url(new Uint8Array(signature))}`;
  }

  /** Returns the claim of a token. Throws `DrsError` FORBIDDEN unless it is valid for the id. */
  async verify(token: string, id: string, now: number): Promise<FileClaim> {
    const [text = '', signature = '', ...others] = token.split('.');
    const bytes = decode(signature);
    const message = encoder.encode(DOMAIN + text);
    const checks = this.#keys.map(
      async (key) => bytes !== undefined && crypto.subtle.verify(ALGORITHM, await key, bytes, message),
    );
    const isSigned = others.length === 0 && (await Promise.all(checks)).includes(true);
    const claim = isSigned ? (JSON.parse(decoder.decode(fromBase64Url(text))) as FileClaim) : undefined;
    if (claim?.id !== id) throw new DrsError('FORBIDDEN', 'the signature of the URL is not valid');
    if (claim.expires <= now) throw new DrsError('FORBIDDEN', 'the URL has expired; request a new one');
    return claim;
  }
}

function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(fromBase64Url(text));
  } catch {
    return undefined;
  }
}
