import { normalizePath, parseRequestTarget } from '@htskit/adapters/internal';
import { type CoveragePath, parseCoveragePath } from '@htskit/coverage/handler';
import { type DrsPath, drsObjectOf, parseDrsPath } from '@htskit/drs/internal';
import { type HtsgetPath, parseHtsgetPath, peekBlockToken } from '@htskit/htsget/internal';
import type { PlainResponse } from '@htskit/http';
import { parseRefgetPath, type RefgetPath, refgetObjectOf } from '@htskit/refget/internal';
import { parseSeqRepoPath, type SeqRepoPath } from '@htskit/refget/seqrepo';
import { BROWSER_CONFIGS, JBROWSE_PLUGIN } from './browsers/browser-paths.js';

/** The part of the server that answers a request. An unknown path has an owner too, whose error body it gets. */
export type RouteOwner = 'htsget' | 'refget' | 'seqrepo' | 'coverage' | 'drs' | 'operation';

interface Route {
  /** The path as the OpenAPI document has it, or `other`: one of a fixed number of labels. */
  readonly template: string;
  /** The normalised path and query, or undefined for a target that is neither origin-form nor absolute-form. */
  readonly target: string | undefined;
  /**
   * Returns the requested object, such as `reads/NA12878`, for logs. For a block, it is the object that the token names,
   * whether or not its signature is valid.
   */
  readonly nameObject?: (() => string | undefined) | undefined;
}

/** The meaning of a request's path, with the classification that the handler of its owner takes. */
export type RequestRoute = Route &
  (
    | { readonly owner: 'htsget' | 'operation'; readonly path: HtsgetPath }
    | { readonly owner: 'refget'; readonly path: RefgetPath | undefined }
    | { readonly owner: 'seqrepo'; readonly path: SeqRepoPath | undefined }
    | { readonly owner: 'coverage'; readonly path: CoveragePath }
    | { readonly owner: 'drs'; readonly path: DrsPath }
  );

/** Answers a request whose path is classified. */
export type RoutedHandler = (request: Request, route: RequestRoute) => PlainResponse | Promise<PlainResponse>;

const OPERATIONS: ReadonlySet<string> = new Set([
  ...['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'],
  ...Object.values(BROWSER_CONFIGS),
  ...Object.values(JBROWSE_PLUGIN),
]);

/** The files of the web page, and its data. */
const PAGE = '/page/';

const COVERAGE = '/coverage/';

/** The path that the handler of SeqRepo is mounted at. */
export const SEQREPO = '/seqrepo';

/** The API of DRS, the same for clients of refget, and the bytes of its objects. */
const DRS_AREA = /^\/(?:ga4gh\/drs\/v1|fasta|files)\//;

const REFGET_AREA = /^\/(?:sequence|collection|comparison|list|attribute|service-info)(?:\/|$)/;

/** Longer names of objects are cut in logs, in characters. */
const MAX_OBJECT_LENGTH = 256;

/**
 * Classifies a request target (RFC 9112 §3.2) by its path, normalised as the URL standard does. Everything that depends on
 * the path uses this result: dispatch, handlers, authorization, load shedding, logs, metrics and traces.
 */
export function routeOf(requestTarget: string): RequestRoute {
  const parsed = parseRequestTarget(requestTarget);
  const target = parsed === undefined ? undefined : normalizePath(parsed);
  const pathname = target?.split('?', 1)[0] ?? '';
  if (REFGET_AREA.test(pathname)) return toRefgetRoute(parseRefgetPath(pathname), target);
  if (DRS_AREA.test(pathname)) return toDrsRoute(parseDrsPath(pathname), target);
  if (pathname.startsWith(COVERAGE)) return toCoverageRoute(parseCoveragePath(pathname), target);
  if (pathname.startsWith(`${SEQREPO}/`)) return toSeqRepoRoute(parseSeqRepoPath(pathname, SEQREPO), target);
  const path = parseHtsgetPath(pathname);
  if (OPERATIONS.has(pathname)) return { template: pathname, owner: 'operation', target, path };
  if (pathname.startsWith(PAGE)) return { template: `${PAGE}{file}`, owner: 'operation', target, path };
  return toHtsgetRoute(path, target);
}

function toCoverageRoute(path: CoveragePath, target: string | undefined): RequestRoute {
  const template = path.kind === 'unknown' ? 'other' : path.kind === 'bigWig' ? '/coverage/{id}.bw' : '/coverage/{id}';
  const nameObject = path.kind === 'unknown' ? undefined : () => shorten(`coverage/${path.id}`);
  return { owner: 'coverage', target, path, template, nameObject };
}

function toDrsRoute(path: DrsPath, target: string | undefined): RequestRoute {
  const id = drsObjectOf(path);
  const area = path.kind === 'file' ? 'files' : 'drs';
  const nameObject = id === undefined ? undefined : () => shorten(`${area}/${id}`);
  return { owner: 'drs', target, path, template: DRS_TEMPLATES[path.kind], nameObject };
}

const DRS_TEMPLATES: Readonly<Record<DrsPath['kind'], string>> = {
  'service-info': '/ga4gh/drs/v1/service-info',
  object: '/ga4gh/drs/v1/objects/{object_id}',
  objects: '/ga4gh/drs/v1/objects',
  access: '/ga4gh/drs/v1/objects/{object_id}/access/{access_id}',
  'bulk-access': '/ga4gh/drs/v1/objects/access',
  'fasta-index': '/fasta/objects/{object_id}/index',
  file: '/files/{path}',
  unknown: 'other',
};

function toSeqRepoRoute(path: SeqRepoPath | undefined, target: string | undefined): RequestRoute {
  const nameObject = path === undefined || path.kind === 'ping' ? undefined : () => shorten(`sequence/${path.alias}`);
  const template = path === undefined ? 'other' : `${SEQREPO}/1/${path.kind}${path.kind === 'ping' ? '' : '/{alias}'}`;
  return { owner: 'seqrepo', target, path, template, nameObject };
}

function toHtsgetRoute(path: HtsgetPath, target: string | undefined): RequestRoute {
  return { owner: 'htsget', target, path, template: toTemplate(path), nameObject: () => nameObjectOf(path) };
}

function toTemplate(path: HtsgetPath): string {
  switch (path.kind) {
    case 'ticket':
      return `/${path.datatype}/{id}`;
    case 'service-info':
      return `/${path.datatype}/service-info`;
    case 'block':
      return '/blocks/{token}';
    case 'unknown':
      return 'other';
  }
}

function nameObjectOf(path: HtsgetPath): string | undefined {
  if (path.kind === 'ticket') return shorten(`${path.datatype}/${path.id}`);
  return path.kind === 'block' ? describeBlock(path.token) : undefined;
}

function toRefgetRoute(path: RefgetPath | undefined, target: string | undefined): RequestRoute {
  const object = path && refgetObjectOf(path);
  return {
    owner: 'refget',
    target,
    path,
    template: path === undefined ? 'other' : templateOf(path),
    nameObject: object && (() => shorten(`${object.resource}/${object.id}`)),
  };
}

function templateOf({ area, route: { kind } }: RefgetPath): string {
  switch (kind) {
    case 'service-info':
      return area === 'sequence' ? '/sequence/service-info' : '/service-info';
    case 'sequence':
      return '/sequence/{id}';
    case 'metadata':
      return '/sequence/{id}/metadata';
    case 'list':
      return '/list/collection';
    case 'collection':
      return '/collection/{digest}';
    case 'fasta':
      return '/collection/{digest}/fasta';
    case 'fai':
      return '/collection/{digest}/fasta.fai';
    case 'regions':
      return '/collection/{digest}/regions';
    case 'attribute-list':
      return '/list/attributes/{attribute}';
    case 'comparison':
      return '/comparison/{a}/{b}';
    case 'local-comparison':
      return '/comparison/{a}';
    case 'attribute':
      return '/attribute/collection/{attribute}/{digest}';
  }
}

function describeBlock(token: string): string | undefined {
  const object = peekBlockToken(token);
  return object && shorten(`${object.datatype}/${object.id}`);
}

function shorten(object: string): string {
  return object.length <= MAX_OBJECT_LENGTH ? object : `${object.slice(0, MAX_OBJECT_LENGTH)}…`;
}
