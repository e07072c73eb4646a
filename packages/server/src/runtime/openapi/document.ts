import { type Authority, FORMATS, refgetJsonMediaType } from '@htskit/protocol';
import { COLLECTION_PATHS, COLLECTION_SCHEMAS } from './collection-paths.js';
import { COVERAGE_PATHS, COVERAGE_SCHEMAS } from './coverage-paths.js';
import { DRS_PATHS, DRS_SCHEMAS } from './drs-paths.js';
import { HTSGET_SCHEMAS, htsgetPaths } from './htsget-paths.js';
import {
  COUNT,
  contentOf,
  jsonContent,
  listOf,
  type OpenApiOperation,
  objectOf,
  type Paths,
  queryParameter,
  type Responses,
  refer,
  type Schema,
  type Schemas,
  TEXT,
} from './openapi-types.js';
import { refgetPaths, refgetSchemas } from './refget-paths.js';
import { SEQREPO_PATHS, SEQREPO_SCHEMAS } from './seqrepo-paths.js';

export interface OpenApiOptions {
  readonly authority: Authority;
  /** The URL at which clients reach the server. */
  readonly publicUrl: string;
  /** The version of the server. */
  readonly version: string;
  /** Whether `/metrics` is a path of the server. Default true. */
  readonly isMetricsPath?: boolean;
  /** Whether the server answers coverage. Default true. */
  readonly hasCoverage?: boolean;
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
  hasCoverage = true,
}: OpenApiOptions): OpenApiDocument {
  const { '/metrics': metrics, ...operationPaths } = OPERATION_PATHS;
  const paths: Paths = {
    ...operationPaths,
    ...(isMetricsPath && { '/metrics': metrics }),
    ...BROWSER_PATHS,
    ...htsgetPaths(authority),
    ...refgetPaths(authority),
    ...COLLECTION_PATHS,
    ...SEQREPO_PATHS,
    ...(hasCoverage && COVERAGE_PATHS),
    ...DRS_PATHS,
  };
  return {
    openapi: '3.1.0',
    info: { title: 'htskit', version, description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: publicUrl }],
    // The configuration decides which objects require a token.
    security: [{}, { bearer: [] }],
    tags: [
      { name: 'htsget', description: 'Regions of alignment and variant files.' },
      { name: 'refget', description: 'Reference sequences by digests of their content.' },
      { name: 'sequence collections', description: 'Sets of sequences, such as genome assemblies.' },
      { name: 'SeqRepo', description: 'Reference sequences as the REST service of SeqRepo answers them.' },
      { name: 'coverage', description: 'Depths of reads and densities of variants, an extension of htskit.' },
      { name: 'DRS', description: 'Stored files as a whole, with their sizes and checksums.' },
      { name: 'operation', description: 'Probes, metrics and documents about the server.' },
    ],
    paths,
    components: {
      schemas: {
        ...HTSGET_SCHEMAS,
        ...refgetSchemas(authority),
        ...COLLECTION_SCHEMAS,
        ...SEQREPO_SCHEMAS,
        ...COVERAGE_SCHEMAS,
        ...DRS_SCHEMAS,
        ...serviceInfoSchemas(authority),
      },
      headers: HEADERS,
      responses: errorResponses(authority),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

const HEADERS = {
  'X-Request-Id': { description: 'The id of the request in the logs of the server.', schema: TEXT },
  'Retry-After': { description: 'Seconds to wait before a retry, with 503.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'The required authentication, with 401.', schema: TEXT },
};

function errorResponses(authority: Authority): Responses {
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
    DrsError: { description: 'An error of DRS.', headers, content: jsonContent(refer('DrsError')) },
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

const URI: Schema = { type: 'string', format: 'uri' };

/** Returns the schemas of the service-info documents of the protocols. */
function serviceInfoSchemas(authority: Authority): Schemas {
  const options = { description: TEXT, contactUrl: URI, documentationUrl: URI, createdAt: TEXT, updatedAt: TEXT };
  const shared = {
    id: { type: 'string', description: 'Unique id in reverse domain notation.' },
    name: TEXT,
    version: { type: 'string', description: 'The version of the service, not of the protocol.' },
    organization: objectOf({ name: TEXT, url: URI }),
  };
  const service = (artifact: string, version: string, more: Readonly<Record<string, Schema>>): Schema => {
    const members = { ...shared, type: refer('ServiceType'), ...more };
    return {
      ...objectOf({ ...members, ...options, environment: TEXT }, Object.keys(members)),
      description: `Service-info of ${artifact} ${version}.`,
    };
  };
  return {
    ServiceType: objectOf({ group: { const: `org.${authority}` }, artifact: TEXT, version: TEXT }),
    HtsgetServiceInfo: service('htsget', '1.3.1', { htsget: refer('HtsgetService') }),
    HtsgetService: objectOf(
      {
        datatype: { enum: ['reads', 'variants'] },
        formats: listOf({ enum: [...FORMATS.reads, ...FORMATS.variants].filter((format) => format !== 'VCFTEXT') }),
        fieldsParameterEffective: { type: 'boolean' },
        tagsParametersEffective: { type: 'boolean' },
        samplesParameterEffective: { type: 'boolean' },
        readFiltersEffective: { type: 'boolean' },
        filteredFormats: listOf({ enum: ['BAM', 'VCF', 'BCF'] }),
        encryptionSchemes: listOf({ enum: ['crypt4gh'] }),
      },
      ['datatype', 'formats', 'fieldsParameterEffective', 'tagsParametersEffective'],
    ),
    RefgetServiceInfo: service('refget', '2.0.0', { refget: refer('RefgetService') }),
    RefgetService: objectOf({
      circular_supported: { type: 'boolean' },
      subsequence_limit: { ...COUNT, description: 'Maximum length of a subsequence in bases; 0 means no limit.' },
      algorithms: listOf(TEXT),
      identifier_types: { ...listOf(TEXT), description: 'The naming authorities of the known CURIEs.' },
    }),
    DrsServiceInfo: service('drs', '1.5.0', {
      maxBulkRequestLength: COUNT,
      drs: objectOf({ maxBulkRequestLength: COUNT }),
    }),
    SeqcolServiceInfo: service('sequence collections', '1.0.0', {
      seqcol: objectOf({ schema: { type: 'object', description: 'The JSON Schema of the collections.' } }),
    }),
  };
}
