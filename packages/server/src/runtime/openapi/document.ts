import { type Authority, refgetJsonMediaType } from '@htskit/protocol';
import { ALL_FEATURES, type Features } from '../service/features.js';
import { COLLECTION_PATHS, COLLECTION_SCHEMAS } from './collection-paths.js';
import { COVERAGE_PATHS, COVERAGE_SCHEMAS } from './coverage-paths.js';
import { DRS_PATHS, DRS_SCHEMAS } from './drs-paths.js';
import { htsgetPaths, htsgetSchemas } from './htsget-paths.js';
import {
  contentOf,
  jsonContent,
  listOf,
  type OpenApiOperation,
  objectOf,
  type Paths,
  queryParameter,
  type Responses,
  refer,
  TEXT,
} from './openapi-types.js';
import { refgetPaths, refgetSchemas } from './refget-paths.js';
import { SEQREPO_PATHS, SEQREPO_SCHEMAS } from './seqrepo-paths.js';
import { serviceInfoSchemas } from './service-info-schemas.js';

export interface OpenApiOptions {
  readonly authority: Authority;
  /** The URL at which clients reach the server. */
  readonly publicUrl: string;
  /** The version of the server. */
  readonly version: string;
  /** Whether `/metrics` is a path of the server. Default true. */
  readonly isMetricsPath?: boolean;
  /** The parts of the server that are switched on. Default: all. */
  readonly features?: Features;
}

const DESCRIPTION = `Genomic data over htsget 1.3.1, refget 2.0.0, sequence collections 1.0.0 and DRS 1.5.

HEAD works wherever GET does, and OPTIONS on every path, for cross-origin scripts. Every response has an \`X-Request-Id\`, that of the
request if it has one, unless its \`Cache-Control\` is public.`;

interface OpenApiDocument {
  readonly [member: string]: unknown;
  readonly paths: Paths;
  readonly components: { readonly [member: string]: unknown; readonly responses: Responses };
}

/** Creates the OpenAPI 3.1 document of a server. */
export function createOpenApi({
  authority,
  publicUrl,
  version,
  isMetricsPath = true,
  features = ALL_FEATURES,
}: OpenApiOptions): OpenApiDocument {
  const { '/metrics': metrics, ...operationPaths } = OPERATION_PATHS;
  const paths: Paths = {
    ...operationPaths,
    ...(isMetricsPath && { '/metrics': metrics }),
    ...BROWSER_PATHS,
    ...htsgetPaths(authority, features),
    ...refgetPaths(authority),
    ...COLLECTION_PATHS,
    ...(features.seqrepo && SEQREPO_PATHS),
    ...(features.coverage && COVERAGE_PATHS),
    ...(features.drs && DRS_PATHS),
  };
  return {
    openapi: '3.1.0',
    info: { title: 'htskit', version, description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: publicUrl }],
    // The configuration decides which objects require a token.
    security: [{}, { bearer: [] }],
    tags: tags(features),
    paths,
    components: {
      schemas: {
        ...htsgetSchemas(features),
        ...refgetSchemas(authority),
        ...COLLECTION_SCHEMAS,
        ...(features.seqrepo && SEQREPO_SCHEMAS),
        ...(features.coverage && COVERAGE_SCHEMAS),
        ...(features.drs && DRS_SCHEMAS),
        ...serviceInfoSchemas(authority, features),
      },
      headers: HEADERS,
      responses: errorResponses(authority, features),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

function tags({ coverage, drs, seqrepo }: Features): readonly Tag[] {
  return [
    { name: 'htsget', description: 'Regions of alignment and variant files.' },
    { name: 'refget', description: 'Reference sequences by digests of their content.' },
    { name: 'sequence collections', description: 'Sets of sequences, such as genome assemblies.' },
    ...(seqrepo
      ? [{ name: 'SeqRepo', description: 'Reference sequences as the REST service of SeqRepo answers them.' }]
      : []),
    ...(coverage
      ? [{ name: 'coverage', description: 'Depths of reads and densities of variants, an extension of htskit.' }]
      : []),
    ...(drs ? [{ name: 'DRS', description: 'Stored files as a whole, with their sizes and checksums.' }] : []),
    { name: 'operation', description: 'Probes, metrics and documents about the server.' },
  ];
}

interface Tag {
  readonly name: string;
  readonly description: string;
}

const HEADERS = {
  'X-Request-Id': { description: 'The id of the request in the logs of the server.', schema: TEXT },
  'Retry-After': { description: 'Seconds to wait before a retry, with 503.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'The required authentication, with 401.', schema: TEXT },
};

function errorResponses(authority: Authority, { drs }: Pick<Features, 'drs'>): Responses {
  const headers = Object.fromEntries(
    Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` } as const]),
  );
  const refgetContent = contentOf(refgetJsonMediaType(authority), refer('RefgetError'));
  return {
    HtsgetError: {
      description: 'An error, with an error type of htsget.',
      headers,
      content: jsonContent(refer('HtsgetError')),
    },
    RefgetError: { description: 'An error.', headers, content: refgetContent },
    ...(drs && { DrsError: { description: 'An error of DRS.', headers, content: jsonContent(refer('DrsError')) } }),
    Problem: {
      description: 'An error (RFC 9457).',
      headers,
      content: contentOf('application/problem+json', refer('Problem')),
    },
  };
}

const TEXT_CONTENT = contentOf('text/plain', TEXT);

const STORE = objectOf({ name: TEXT, state: { type: 'string', enum: ['closed', 'open', 'half-open'] } });

/** Readiness as text, or as JSON if `Accept` asks for it. */
const READY_CONTENT = {
  ...TEXT_CONTENT,
  ...jsonContent(
    objectOf({ status: { ...TEXT, description: '"ok", or why the server is not ready.' }, stores: listOf(STORE) }),
  ),
};

/** The paths that the server answers itself, rather than a protocol. */
const OPERATION_PATHS = {
  '/': {
    parameters: [
      queryParameter('search', 'A text that the ids of the listed objects contain.'),
      queryParameter('datatype', 'The datatype of the listed objects.', { enum: ['reads', 'variants'] }),
      queryParameter('format', 'A format that the listed objects can be answered in.'),
      queryParameter('after', 'The name of an object, such as `reads/NA12878`, after which the list begins.'),
    ],
    ...operation('getOverview', 'The paths of this server, and the objects that the request may see', {
      '200': {
        description: 'Plain text, the web page for browsers, or a page of at most 100 objects as JSON.',
        content: { ...TEXT_CONTENT, ...contentOf('text/html', TEXT), ...jsonContent(refer('ObjectListing')) },
      },
      '503': { $ref: '#/components/responses/HtsgetError' },
    }),
  },
  '/healthz': operation('getHealth', 'Whether the server is alive', {
    '200': { description: 'The server is alive.', content: TEXT_CONTENT },
  }),
  '/readyz': operation('getReadiness', 'Whether the server accepts requests', {
    '200': { description: 'The server is ready. Stores that do not respond are named.', content: READY_CONTENT },
    '503': {
      description: 'The server is starting, stopping or over a limit, or none of its stores responds.',
      content: READY_CONTENT,
    },
  }),
  '/metrics': operation('getMetrics', 'Metrics for Prometheus', {
    '200': { description: 'The metrics in the text format of Prometheus.', content: TEXT_CONTENT },
  }),
  '/openapi.json': operation('getOpenApi', 'This document', {
    '200': { description: 'The OpenAPI 3.1 document.', content: jsonContent({ type: 'object' }) },
  }),
};

/** The configurations of genome browsers that show what the request may see. */
const BROWSER_PATHS: Paths = {
  '/igv/session.json': {
    parameters: [queryParameter('genome', 'The digest of its collection. Default: the genome of the most objects.')],
    ...operation('getIgvSession', 'A session of igv.js with the objects of a genome', {
      '200': { description: 'The session.', content: jsonContent({ type: 'object' }) },
      '404': { description: 'There is no such genome.', content: jsonContent(objectOf({ message: TEXT })) },
      '503': { $ref: '#/components/responses/HtsgetError' },
    }),
  },
  '/igv/desktop.json': {
    parameters: [queryParameter('genome', 'The digest of its collection. Default: the genome of the most objects.')],
    ...operation('getIgvDesktopSession', 'The same session for IGV on desktops', {
      '200': { description: 'The session.', content: jsonContent({ type: 'object' }) },
      '404': { description: 'There is no such genome.', content: jsonContent(objectOf({ message: TEXT })) },
      '503': { $ref: '#/components/responses/HtsgetError' },
    }),
  },
  '/jbrowse/config.json': operation(
    'getJBrowseConfig',
    'A configuration of JBrowse 2 with all objects, by their genomes',
    {
      '200': { description: 'The configuration.', content: jsonContent({ type: 'object' }) },
      '503': { $ref: '#/components/responses/HtsgetError' },
    },
  ),
};

function operation(operationId: string, summary: string, responses: Responses): { readonly get: OpenApiOperation } {
  return { get: { operationId, tags: ['operation'], summary, security: [], responses } };
}
