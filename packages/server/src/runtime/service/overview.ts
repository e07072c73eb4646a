import { DATA_HEADERS, queryParameters } from '@htskit/http/internal';
import { negotiateMediaType } from '@htskit/protocol';
import type { Features } from './features.js';
import { type ObjectListing, toListQuery, type VisibleObjects } from './visible-objects.js';

/** Answers `GET /`: the paths of the server and the objects that the request may see, as text, or the objects as JSON. */
export async function answerOverview(
  request: Request,
  visible: Pick<VisibleObjects, 'list'>,
  features: Features,
): Promise<Response> {
  const listing = await visible.list(request, toListQuery(queryParameters(request)));
  const isJson = negotiateMediaType(request.headers.get('accept'), [TEXT, JSON_TYPE]) === JSON_TYPE;
  const body = isJson ? JSON.stringify(listing) : `${formatPaths(features)}${formatListing(listing)}`;
  const contentType = isJson ? JSON_TYPE : `${TEXT}; charset=utf-8`;
  // The objects depend on the token of the request.
  const headers = { ...DATA_HEADERS, 'content-type': contentType, 'cache-control': 'no-store', vary: 'Accept' };
  return new Response(body, { headers });
}

const TEXT = 'text/plain';
const JSON_TYPE = 'application/json';

const OVERVIEW = `htskit: genomic data over htsget 1.3.1, refget 2.0.0, sequence collections 1.0.0 and DRS 1.5

/reads/{id}               ticket for regions of an alignment file: BAM, CRAM if it is stored
/variants/{id}            ticket for regions of a variant file: VCF, BCF, VCFTEXT
/coverage/{id}            depth of reads by bins of a region; ?datatype=variants for their density
/files/{path}             a stored file, or ranges of it: {id}.bam, {id}.bam.bai, genome.fa
/ga4gh/drs/v1/objects/{path}  size, checksums and access methods of a stored file (DRS 1.5)
/reads/service-info       htsget service-info; also /variants/service-info
/sequence/{digest}        a reference sequence, or part of it
/sequence/service-info    refget service-info
/seqrepo/1/sequence/{id}  a sequence, or part of it, for clients of SeqRepo
/list/collection          the sequence collections, one per file of sequences
/collection/{digest}      names, lengths and sequences of a collection; ?level=1 for digests
/comparison/{a}/{b}       comparison of two collections; POST your own to /comparison/{a}
/igv/session.json         a session of igv.js with the objects of a genome; /igv/desktop.json for IGV on desktops
/jbrowse/config.json      a configuration of JBrowse 2 with all objects, and its plugin
/service-info             sequence collections service-info
/healthz  /readyz         probes for a supervisor; /metrics for Prometheus
/openapi.json             the OpenAPI document of this server; /docs in a browser
`;

/** The paths of what can be switched off. */
const FEATURES_OF_PATHS: readonly (readonly [path: string, feature: keyof Features])[] = [
  ['/coverage/', 'coverage'],
  ['/files/', 'drs'],
  ['/ga4gh/drs/', 'drs'],
  ['/seqrepo/', 'seqrepo'],
];

function formatPaths(features: Features): string {
  const unanswered = FEATURES_OF_PATHS.filter(([, feature]) => !features[feature]);
  const lines = OVERVIEW.split('\n').filter((line) => !unanswered.some(([path]) => line.startsWith(path)));
  return lines.join('\n');
}

function formatListing({ objects, next }: ObjectListing): string {
  if (objects.length === 0) return '';
  const paths = objects.map(({ datatype, id }) => `/${datatype}/${id.split('/').map(encodeURIComponent).join('/')}`);
  const width = Math.max(...paths.map((path) => path.length));
  const lines = objects.map(
    ({ formats, isEncrypted }, index) =>
      `${paths[index]?.padEnd(width)}  ${formats.join(' ')}${isEncrypted ? ' (stored encrypted)' : ''}`,
  );
  const more = next === undefined ? [] : [`and more: /?after=${encodeURIComponent(next)}`];
  return `\nObjects, and the formats that each can be answered in:\n\n${[...lines, ...more].join('\n')}\n`;
}
