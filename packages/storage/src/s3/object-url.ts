import { parseHttpUrl } from '@htskit/http';
import { StorageError } from '@htskit/io';

export interface S3Location {
  readonly bucket: string;
  /** Default `us-east-1`. */
  readonly region?: string | undefined;
  /** Base URL of the service. Default: that of AWS for the region. */
  readonly endpoint?: string | undefined;
  /** Whether URLs name the bucket in the path rather than in the host. Default false. */
  readonly forcePathStyle?: boolean | undefined;
}

export const DEFAULT_REGION = 'us-east-1';

/**
 * Returns the base URL of a bucket. Throws TypeError for an endpoint that is not an HTTP(S) URL without credentials, and for
 * a bucket that cannot be part of the host name.
 */
export function toBucketUrl({ bucket, region = DEFAULT_REGION, endpoint, forcePathStyle = false }: S3Location): URL {
  const url = parseHttpUrl(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (url === undefined) {
    throw new TypeError('expected the endpoint to be an HTTP(S) URL without a user name or password');
  }
  // Both a host and a path can hold these characters, and none of them leads elsewhere.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(bucket)) throw new TypeError('expected the name of a bucket');
  url.search = '';
  url.hash = '';
  const path = url.pathname.replace(/\/+$/, '');
  const host = `${bucket}.${url.host}`;
  if (!forcePathStyle) url.host = host;
  // An IP address has no subdomains, and upper-case letters do not survive.
  if (!forcePathStyle && url.host !== host) {
    throw new TypeError('the bucket cannot be part of the host name; set forcePathStyle');
  }
  url.pathname = forcePathStyle ? `${path}/${bucket}/` : `${path}/`;
  return url;
}

/** Returns the URL of an object. Throws INVALID_KEY for keys that no URL can hold, such as those with a `..` segment. */
export function toObjectUrl(bucketUrl: URL, key: string): URL {
  const segments = key.split('/');
  if (key === '' || /\p{Surrogate}/u.test(key) || segments.some((segment) => segment === '.' || segment === '..')) {
    throw new StorageError('INVALID_KEY', 'the key cannot be part of a URL', { key });
  }
  const url = new URL(bucketUrl);
  // Not `new URL(path, base)`: a key that begins with slashes would become a host name.
  url.pathname += segments.map(encode).join('/');
  return url;
}

/** Encodes as signatures require: also what encodeURIComponent keeps beyond RFC 3986. */
function encode(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
