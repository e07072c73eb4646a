import { decodePathPart, stripPrefix } from '@htskit/http/internal';

/** The resource that a URL path names. Ids are percent-decoded. */
export type DrsPath =
  | { readonly kind: 'service-info' | 'objects' | 'bulk-access' }
  | { readonly kind: 'object'; readonly id: string }
  | { readonly kind: 'access'; readonly id: string; readonly accessId: string }
  /** The offsets of the sequences of a FASTA file, for clients of refget. Not part of DRS. */
  | { readonly kind: 'fasta-index'; readonly id: string }
  /** The bytes of an object. Not part of DRS. */
  | { readonly kind: 'file'; readonly id: string }
  | { readonly kind: 'unknown'; readonly message: string };

const FILES = '/files/';
const DRS = '/ga4gh/drs/v1/';
/** The same API where the Python package refget requests FASTA files. Ids have no slash there. */
const FASTA = '/fasta/';

const OBJECTS = 'objects/';
const ACCESS = '/access/';
/** Longer ids are unknown, before anything is looked up. Those of files and buckets are shorter. */
const MAX_ID_LENGTH = 1100;

const NO_OBJECT = { kind: 'unknown', message: 'there is no object with this id' } as const;

/** Returns the path of the bytes of an object, relative to the mount point. */
export function filePath(id: string): string {
  return FILES + id.split('/').map(encodeURIComponent).join('/');
}

/**
 * Classifies the path of a request to a handler that is mounted at `prefix`. An id that could leave a folder (an empty, `.` or `..`
 * segment, or NUL) is unknown. Slashes in ids need not be encoded, unless the id could be taken for a path of the protocol.
 */
export function parseDrsPath(pathname: string, prefix?: string): DrsPath {
  const path = stripPrefix(pathname, prefix) ?? '';
  if (path.startsWith(FILES)) return withId(path.slice(FILES.length), (id) => ({ kind: 'file', id }));
  const isFasta = path.startsWith(FASTA);
  if (!isFasta && !path.startsWith(DRS)) return { kind: 'unknown', message: 'there is no resource at this path' };
  const rest = path.slice((isFasta ? FASTA : DRS).length).replace(/\/$/, '');
  if (rest === 'service-info' || rest === 'objects') return { kind: rest };
  if (rest === 'objects/access') return { kind: 'bulk-access' };
  if (!rest.startsWith(OBJECTS)) return { kind: 'unknown', message: 'there is no resource of DRS at this path' };
  return parseObjectPath(rest.slice(OBJECTS.length), isFasta);
}

function parseObjectPath(path: string, isFasta: boolean): DrsPath {
  const index = isFasta ? /^([^/]+)\/index$/.exec(path)?.[1] : undefined;
  if (index !== undefined) return withId(index, (id) => ({ kind: 'fasta-index', id }));
  const at = path.lastIndexOf(ACCESS);
  const accessId = at === -1 ? '' : path.slice(at + ACCESS.length);
  if (at <= 0 || accessId === '' || accessId.includes('/')) return withId(path, (id) => ({ kind: 'object', id }));
  return withId(path.slice(0, at), (id) => ({ kind: 'access', id, accessId: decodePathPart(accessId) ?? '' }));
}

function withId(encoded: string, create: (id: string) => DrsPath): DrsPath {
  const id = encoded.length > 9 * MAX_ID_LENGTH ? undefined : decodePathPart(encoded);
  return id === undefined || !isPossibleId(id) ? NO_OBJECT : create(id);
}

/** Returns whether an id may name an object. */
export function isPossibleId(id: string): boolean {
  if (id.length > MAX_ID_LENGTH || id.includes('\0')) return false;
  return id.split('/').every((segment) => !['', '.', '..'].includes(segment));
}

/** Returns the object that a path names; undefined if it names several, or none. */
export function drsObjectOf(path: DrsPath): string | undefined {
  return 'id' in path ? path.id : undefined;
}
