import { basename, posix, resolve } from 'node:path';
import type { Fetch, HttpHeaders } from '@htskit/http';

/** The location of stored files: on this machine, in a bucket, or at a URL. */
export type StorageLocation = PathLocation | RemoteLocation;

export interface PathLocation {
  readonly kind: 'path';
  /** An absolute path. */
  readonly path: string;
}

/** A location that is read over the network. */
export type RemoteLocation = BucketLocation | UrlLocation;

export interface BucketLocation {
  readonly kind: 's3';
  readonly bucket: string;
  /** The key of an object, or the common prefix of several keys without its final slash. Empty for the whole bucket. */
  readonly key: string;
}

export interface UrlLocation {
  readonly kind: 'http';
  readonly url: string;
  /** Default: the URL is requested without headers. */
  readonly access?: UrlAccess;
}

/** How a URL is requested that was not configured as it is. */
interface UrlAccess {
  /** Identifies the object in caches. It must differ between users whose credentials are in the headers. */
  readonly key: string;
  /** Sent to the origin of the URL only. */
  readonly headers?: HttpHeaders;
  /** Default: as all other requests. */
  readonly fetch?: Fetch;
  /** The hosts that redirects may lead to. Default: as for all other requests. */
  readonly redirectHosts?: readonly string[];
}

const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i;
const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9._-]*)(?:\/(.*))?$/i;

/** Parses a location; relative paths are resolved against `folder`. Throws RangeError for anything else. */
export function parseLocation(text: string, folder: string): StorageLocation {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined && text !== '' && !text.includes('\0')) return { kind: 'path', path: resolve(folder, text) };
  if (scheme === 's3') return parseBucketLocation(text);
  if (scheme === 'http' || scheme === 'https') return parseUrlLocation(text);
  throw new RangeError('expected a path, s3://BUCKET/PREFIX, or an http or https URL');
}

function parseBucketLocation(text: string): BucketLocation {
  const [, bucket, rest = ''] = BUCKET.exec(text) ?? [];
  const key = rest.replace(/\/$/, '');
  if (bucket === undefined || (key !== '' && !isPlainPath(key))) throw new RangeError('expected s3://BUCKET/PREFIX');
  return { kind: 's3', bucket, key };
}

function parseUrlLocation(text: string): UrlLocation {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Credentials would appear wherever the URL is shown.
  if (url === undefined || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new RangeError('expected a URL without a user name, password or fragment');
  }
  try {
    decodeURIComponent(url.pathname);
  } catch {
    throw new RangeError('expected a URL whose path is percent-encoded UTF-8');
  }
  return { kind: 'http', url: url.href };
}

/** Returns whether a path, such as an id, has no empty, `.` or `..` segment and no NUL. */
export function isPlainPath(path: string): boolean {
  return !path.includes('\0') && path.split('/').every((segment) => !['', '.', '..'].includes(segment));
}

/** Returns the path, key or decoded URL path of a location. */
export function pathOf(location: StorageLocation): string {
  if (location.kind === 'path') return location.path;
  return location.kind === 's3' ? location.key : decodeURIComponent(new URL(location.url).pathname);
}

/** Returns the name of the file or folder at a location, whose extension determines the kind of file. */
export function fileNameOf(location: StorageLocation): string {
  // Only in paths of Windows, a backslash separates names.
  return location.kind === 'path' ? basename(location.path) : posix.basename(pathOf(location));
}

/** Formats a location for people. The query of a URL is omitted, since it may be a signature. */
export function formatLocation(location: StorageLocation): string {
  if (location.kind === 'path') return location.path;
  if (location.kind === 'http') return location.url.replace(/\?.*$/s, '');
  return `s3://${location.bucket}${location.key === '' ? '' : '/'}${location.key}`;
}

/**
 * Returns the location with another path, such as that of an index beside its data. Returns undefined for a URL with a
 * query, which may be a signature of that URL alone.
 */
export function withPath<Location extends StorageLocation>(location: Location, path: string): Location | undefined {
  if (location.kind === 'path') return { ...location, path };
  if (location.kind === 's3') return { ...location, key: path };
  const url = new URL(location.url);
  if (url.search !== '') return undefined;
  url.pathname = path.split('/').map(encodeURIComponent).join('/');
  const { access } = location;
  return { ...location, url: url.href, ...(access && { access: { ...access, key: `${access.key}${url.pathname}` } }) };
}
