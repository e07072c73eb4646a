import { StorageError } from '@htskit/io';

export interface S3Location {
  readonly bucket: string;
  /** Default `us-east-1`. */
  readonly region?: string | undefined;
  /** Base URL of the service. Default: that of AWS for the region. */
  readonly endpoint?: string | undefined;
  /** Whether the bucket stands in the path of URLs rather than in the name of the host. Default false. */
  readonly forcePathStyle?: boolean | undefined;
}

export const DEFAULT_REGION = 'us-east-1';

/**
 * Of the bucket, and of what is in it. Throws TypeError for an endpoint that is not a URL of http or https without a user
 * name, and for a bucket that cannot be part of the name of its host.
 */
export function toBucketUrl({ bucket, region = DEFAULT_REGION, endpoint, forcePathStyle = false }: S3Location): URL {
  const base = endpoint ?? `https://s3.${region}.amazonaws.com`;
  if (!URL.canParse(base) || !isPlainHttp(new URL(base))) {
    throw new TypeError('expected the endpoint to be a URL of http or https, without a user name or password');
  }
  // What a host and a path can hold alike; nothing in it leads elsewhere.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(bucket)) throw new TypeError('expected the name of a bucket');
  const url = new URL(base);
  url.search = '';
  url.hash = '';
  const path = url.pathname.replace(/\/+$/, '');
  const host = `${bucket}.${url.host}`;
  if (!forcePathStyle) url.host = host;
  // An address has no names below it, and upper-case letters do not stay.
  if (!forcePathStyle && url.host !== host) {
    throw new TypeError('the bucket cannot be part of the name of the host: set forcePathStyle');
  }
  url.pathname = forcePathStyle ? `${path}/${bucket}/` : `${path}/`;
  return url;
}

function isPlainHttp({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Of an object. Throws INVALID_KEY for keys that no URL can hold: such as have `.` or `..` between slashes. */
export function toObjectUrl(bucketUrl: URL, key: string): URL {
  const segments = key.split('/');
  if (key === '' || /\p{Surrogate}/u.test(key) || segments.some((segment) => segment === '.' || segment === '..')) {
    throw new StorageError('INVALID_KEY', 'the key cannot be that of an object', { key });
  }
  const url = new URL(bucketUrl);
  // Not by `new URL(path, base)`: a key that begins with slashes would be the name of a host.
  url.pathname += segments.map(encode).join('/');
  return url;
}

/** As signatures have it: what encodeURIComponent leaves beyond RFC 3986 is encoded, too. */
function encode(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
