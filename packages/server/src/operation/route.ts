import { peekBlockToken } from '@htskit/htsget/internal';

/** Which protocol answers, also where there is nothing: its errors are told in its own terms. */
export type RouteOwner = 'htsget' | 'refget' | 'operation';

/** What a path of the server means, in one of a fixed number of ways. */
export interface RequestRoute {
  /** As it stands in the OpenAPI document; `other` for what leads nowhere. */
  readonly template: string;
  readonly owner: RouteOwner;
  /** Tells what was asked for, such as `reads/NA12878`; of a block, what its token says, verified or not. */
  readonly nameObject?: (() => string | undefined) | undefined;
}

interface Pattern {
  readonly path: RegExp;
  readonly template: string;
  readonly owner: RouteOwner;
  readonly object?: (part: string) => string | undefined;
}

/** The first that matches counts. The first group of a path is what the object is made from. */
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
  { path: /^/, template: 'other', owner: 'htsget' },
];

const OTHER: RequestRoute = { template: 'other', owner: 'htsget' };

/** Characters of an object's name; what is longer is none. */
const MAX_OBJECT_LENGTH = 256;

/** The route of the target of a request; its query is not looked at. */
export function routeOf(target: string): RequestRoute {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1);
  for (const pattern of PATTERNS) {
    const match = pattern.path.exec(path);
    if (match === null) continue;
    const { template, owner, object } = pattern;
    return { template, owner, nameObject: object && (() => shorten(object(match[1] ?? ''))) };
  }
  return OTHER;
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
