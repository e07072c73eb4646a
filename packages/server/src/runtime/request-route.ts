import { peekBlockToken } from '@htskit/htsget/internal';

/** The part of the server that answers a request. An unknown path has an owner too, whose error body it gets. */
export type RouteOwner = 'htsget' | 'refget' | 'operation';

/** The meaning of a request's path. */
export interface RequestRoute {
  /** The path as the OpenAPI document has it, or `other`: one of a fixed number of labels. */
  readonly template: string;
  readonly owner: RouteOwner;
  /**
   * Returns the requested object, such as `reads/NA12878`, for logs. For a block, it is the object that the token names,
   * whether or not its signature is valid.
   */
  readonly nameObject?: (() => string | undefined) | undefined;
}

interface Pattern {
  readonly path: RegExp;
  readonly template: string;
  readonly owner: RouteOwner;
  /** Makes the name of the object from the first group of `path`. */
  readonly object?: (part: string) => string | undefined;
}

/** The first pattern that matches applies. */
const PATTERNS: readonly Pattern[] = [
  ...['/', '/healthz', '/readyz', '/metrics', '/openapi.json'].map((template) => exact(template, 'operation')),
  ...['reads', 'variants'].flatMap((datatype) => [
    exact(`/${datatype}/service-info`, 'htsget'),
    {
      path: new RegExp(`^/${datatype}/(.+)$`),
      template: `/${datatype}/{id}`,
      owner: 'htsget' as const,
      object: (part: string) => `${datatype}/${decode(part)}`,
    },
  ]),
  { path: /^\/blocks\/(.+)$/, template: '/blocks/{token}', owner: 'htsget', object: describeBlock },
  ...['/sequence/service-info', '/service-info', '/list/collection'].map((template) => exact(template, 'refget')),
  refget(/^\/sequence\/([^/]+)\/metadata\/?$/, '/sequence/{id}/metadata'),
  refget(/^\/sequence\/([^/]+)\/?$/, '/sequence/{id}'),
  refget(/^\/collection\/([^/]+)\/?$/, '/collection/{digest}'),
  refget(/^\/comparison\/([^/]+)\/?$/, '/comparison/{a}'),
  refget(/^\/comparison\/([^/]+\/[^/]+)\/?$/, '/comparison/{a}/{b}'),
  refget(/^\/attribute\/collection\/([^/]+\/[^/]+)\/?$/, '/attribute/collection/{attribute}/{digest}'),
  {
    path: /^\/(?:sequence|collection|comparison|list|attribute|service-info)(?:\/|$)/,
    template: 'other',
    owner: 'refget',
  },
];

const OTHER: RequestRoute = { template: 'other', owner: 'htsget' };

/** Longer names of objects are cut in logs, in characters. */
const MAX_OBJECT_LENGTH = 256;

/**
 * Classifies a request target (RFC 9112 §3.2) by its path, normalised as the URL standard does. Everything that depends on
 * the path uses this result: dispatch, load shedding, logs, metrics and traces.
 */
export function routeOf(target: string): RequestRoute {
  const path = pathOf(target);
  if (path === undefined) return OTHER;
  for (const pattern of PATTERNS) {
    const match = pattern.path.exec(path);
    if (match === null) continue;
    const { template, owner, object } = pattern;
    return { template, owner, nameObject: object && (() => shorten(object(match[1] ?? ''))) };
  }
  return OTHER;
}

/** Returns undefined for a target that is neither origin-form nor absolute-form. */
function pathOf(target: string): string | undefined {
  const isAbsolute = /^https?:\/\//i.test(target);
  if (!isAbsolute && !target.startsWith('/')) return undefined;
  const path = isAbsolute ? target.replace(/^https?:\/\/[^/?#]*/i, '') : target;
  return new URL(`http://localhost${path.startsWith('/') ? '' : '/'}${path}`).pathname;
}

function exact(template: string, owner: RouteOwner): Pattern {
  const slash = owner === 'refget' ? '/?' : '';
  return { path: new RegExp(`^${template.replaceAll('.', '\\.')}${slash}$`), template, owner };
}

function refget(path: RegExp, template: string): Pattern {
  return { path, template, owner: 'refget', object: decode };
}

function describeBlock(token: string): string | undefined {
  const object = peekBlockToken(token);
  return object && `${object.datatype}/${object.id}`;
}

function shorten(object: string | undefined): string | undefined {
  return object === undefined || object.length <= MAX_OBJECT_LENGTH ? object : `${object.slice(0, MAX_OBJECT_LENGTH)}…`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
