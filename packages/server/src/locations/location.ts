import { resolve } from 'node:path';

/** Where files lie: on this machine, in a bucket, or at a URL. */
export type Location = PathLocation | BucketLocation | UrlLocation;

export interface PathLocation {
  readonly kind: 'path';
  /** Absolute. */
  readonly path: string;
}

export interface BucketLocation {
  readonly kind: 's3';
  readonly bucket: string;
  /** Of an object, or what the keys of several begin with, before a slash. Empty for the whole bucket. */
  readonly key: string;
}

interface UrlLocation {
  readonly kind: 'http';
  readonly url: string;
}

const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i;
const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9._-]*)(?:\/(.*))?$/i;

/** Reads a location as people write it; paths are relative to a folder. Throws RangeError for what is none. */
export function parseLocation(text: string, folder: string): Location {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined && text !== '' && !text.includes('\0')) return { kind: 'path', path: resolve(folder, text) };
  if (scheme === 's3') return parseBucketLocation(text);
  if (scheme === 'http' || scheme === 'https') return parseUrlLocation(text);
  throw new RangeError('expected a path, s3://BUCKET/PREFIX, or a URL of http or https');
}

function parseBucketLocation(text: string): BucketLocation {
  const [, bucket, rest = ''] = BUCKET.exec(text) ?? [];
  const key = rest.replace(/\/$/, '');
  if (bucket === undefined || (key !== '' && !isPlainPath(key))) throw new RangeError('expected s3://BUCKET/PREFIX');
  return { kind: 's3', bucket, key };
}

function parseUrlLocation(text: string): UrlLocation {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Credentials would be where URLs are shown.
  if (url === undefined || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new RangeError('expected a URL without a user name, password or fragment');
  }
  try {
    decodeURIComponent(url.pathname);
  } catch {
    throw new RangeError('expected a URL whose path is UTF-8');
  }
  return { kind: 'http', url: url.href };
}

/** Whether a path of names has no empty one and none that leads elsewhere, as ids have it. */
export function isPlainPath(path: string): boolean {
  return !path.includes('\0') && path.split('/').every((segment) => !['', '.', '..'].includes(segment));
}

/** The names that lead to it, decoded, without the query of a URL: what its kind is told by. */
export function pathOf(location: Location): string {
  if (location.kind === 'path') return location.path;
  return location.kind === 's3' ? location.key : decodeURIComponent(new URL(location.url).pathname);
}

/** The location for people: without the query of a URL, which may be a signature. */
export function formatLocation(location: Location): string {
  if (location.kind === 'path') return location.path;
  if (location.kind === 'http') return location.url.replace(/\?.*$/s, '');
  return `s3://${location.bucket}${location.key === '' ? '' : '/'}${location.key}`;
}

/** The location of a neighbour, whose path is that one: of an index, say. Undefined for URLs with a query. */
export function withPath(location: Location, path: string): Location | undefined {
  if (location.kind === 'path') return { ...location, path };
  if (location.kind === 's3') return { ...location, key: path };
  const url = new URL(location.url);
  // It may be a signature, of this one alone.
  if (url.search !== '') return undefined;
  url.pathname = path.split('/').map(encodeURIComponent).join('/');
  return { ...location, url: url.href };
}
