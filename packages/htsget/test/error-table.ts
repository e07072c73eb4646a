/** A request and its answer: a row of the design's table "input | answer" or of its order of precedence. */
export interface ErrorRow {
  readonly name: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'QUERY';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Status and error name. Without an error name a ticket is expected. */
  readonly answer: readonly [status: number, error?: ErrorName];
  /** A pattern that the message must match. */
  readonly message?: RegExp;
  /** Headers in addition to those of every answer. */
  readonly has?: Readonly<Record<string, string>>;
  /** Frameworks that reject the request before any handler sees it. */
  readonly except?: readonly string[];
}

type ErrorName =
  | 'InvalidAuthentication'
  | 'PermissionDenied'
  | 'NotFound'
  | 'PayloadTooLarge'
  | 'UnsupportedFormat'
  | 'InvalidInput'
  | 'InvalidRange'
  | 'InternalServerError';

const INVALID_INPUT = [400, 'InvalidInput'] as const;
const INVALID_RANGE = [400, 'InvalidRange'] as const;
const UNSUPPORTED = [400, 'UnsupportedFormat'] as const;
const NOT_FOUND = [404, 'NotFound'] as const;
const TOO_LARGE = [413, 'PayloadTooLarge'] as const;
const INTERNAL = [500, 'InternalServerError'] as const;
const UNAUTHENTICATED = [401, 'InvalidAuthentication'] as const;
const DENIED = [403, 'PermissionDenied'] as const;
const TICKET = [200] as const;

type RowDetails = Omit<ErrorRow, 'name' | 'path' | 'answer'>;

function get(name: string, path: string, answer: ErrorRow['answer'], details: RowDetails = {}): ErrorRow {
  return { name, path, answer, ...details };
}

function post(name: string, body: unknown, answer: ErrorRow['answer'], details: RowDetails & { path?: string } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return { name, path: '/reads/sample', method: 'POST', body: text, headers, answer, ...details } satisfies ErrorRow;
}

const bearer = (token: string): RowDetails => ({ headers: { authorization: `Bearer ${token}` } });

/** Rows that depend only on the request: the answer is the same for every object. */
const syntaxRows: readonly ErrorRow[] = [
  get('a class other than header', '/reads/sample?class=body', INVALID_INPUT),
  get('an empty class', '/reads/sample?class=', INVALID_INPUT),
  get('start without referenceName', '/reads/sample?start=1', INVALID_INPUT),
  get('end without referenceName', '/variants/sample?end=1', INVALID_INPUT),
  get('* with start', '/reads/sample?referenceName=*&start=0', INVALID_INPUT),
  get('* with end', '/reads/sample?referenceName=*&end=9', INVALID_INPUT),
  ...['-1', '1.5', '', '%2B1', '1e3', '0x10', 'one', '%D9%A1', '9223372036854775808'].flatMap((text) => [
    get(`start ${text || 'empty'}`, `/reads/sample?referenceName=chr1&start=${text}`, INVALID_INPUT),
    get(`end ${text || 'empty'}`, `/variants/sample?referenceName=chr1&end=${text}`, INVALID_INPUT),
  ]),
  get('an unknown field', '/reads/sample?fields=QNAME,FOO', INVALID_INPUT),
  get('a key both in tags and in notags', '/reads/sample?tags=NM,MD&notags=RG,NM', INVALID_INPUT),
  ...['format=BAM', 'class=header', 'referenceName=chr1', 'tags=NM', 'notags=NM', 'fields=SEQ'].map((parameter) =>
    get(`${parameter} given twice`, `/reads/sample?${parameter}&${parameter}`, INVALID_INPUT),
  ),
  get('class=header with an invalid coordinate', '/reads/sample?class=header&start=x', INVALID_INPUT),
  post('an empty list of regions', { regions: [] }, INVALID_INPUT),
  post('malformed JSON', '{', INVALID_INPUT),
  post('JSON that is not an object', '[]', INVALID_INPUT),
  post('regions without referenceName', { regions: [{ start: 1 }] }, INVALID_INPUT),
  post('a coordinate as a string', { regions: [{ referenceName: 'chr1', start: '1' }] }, INVALID_INPUT),
  post('a fractional coordinate', '{"regions":[{"referenceName":"chr1","start":1.5}]}', INVALID_INPUT),
  ...['referenceName', 'start', 'end'].map((key) =>
    post(`${key} at the top level of a body`, { [key]: key === 'referenceName' ? 'chr1' : 1 }, INVALID_INPUT),
  ),
  ...['format=BAM', 'class=header', 'referenceName=chr1', 'start=1', 'fields=SEQ', 'tags='].map((parameter) =>
    post(`a POST with ${parameter} in its URL`, {}, INVALID_INPUT, { path: `/reads/sample?${parameter}` }),
  ),
  post('a body that is not UTF-8', '', INVALID_INPUT, { body: Uint8Array.of(0x22, 0xff, 0x22) }),
  post('a form', 'a=b', INVALID_INPUT, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  post('a body of another charset', {}, INVALID_INPUT, {
    headers: { 'content-type': 'application/json; charset=utf-16' },
  }),
  post('a compressed body', {}, INVALID_INPUT, {
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  }),
];

const formatRows: readonly ErrorRow[] = [
  get('an unknown format', '/reads/sample?format=SAM', UNSUPPORTED, { message: /BAM, CRAM/ }),
  get('a format of variants for reads', '/reads/sample?format=VCF', UNSUPPORTED, { message: /BAM, CRAM/ }),
  get('a format of reads for variants', '/variants/sample?format=BAM', UNSUPPORTED, { message: /available: VCF/ }),
  get('an unknown format of what is BAM only', '/reads/bam-only?format=SAM', UNSUPPORTED, {
    message: /available: BAM$/,
  }),
  get('BAM if only CRAM is stored', '/reads/cram-only?class=header', TICKET),
  get('CRAM if only BAM is stored', '/reads/bam-only?format=CRAM', UNSUPPORTED, { message: /available: BAM$/ }),
  get('VCF if only BCF is stored', '/variants/bcf-only', TICKET),
  get('VCFTEXT if only BCF is stored', '/variants/bcf-only?format=VCFTEXT', TICKET),
  get('a format in small letters', '/reads/sample?format=cram&class=header', TICKET),
  get('VCFTEXT in mixed letters', '/variants/sample?format=VcfText&class=header', TICKET),
];

const regionRows: readonly ErrorRow[] = [
  get('a reference that the header lacks', '/reads/sample?referenceName=chr99', NOT_FOUND),
  get('a reference that the header of a CRAM lacks', '/reads/sample?format=CRAM&referenceName=chr99', NOT_FOUND),
  get('a reference that the header of a VCF lacks', '/variants/sample?referenceName=chr99', NOT_FOUND),
  get('a reference that the header of a BCF lacks', '/variants/bcf-only?format=BCF&referenceName=c', NOT_FOUND),
  get('* for variants', '/variants/sample?referenceName=*', NOT_FOUND),
  get('a reference without records', '/reads/sample?referenceName=chrUn_1', TICKET),
  get('start over end', '/reads/sample?referenceName=chr1&start=2&end=1', INVALID_RANGE),
  get(
    'start over end above 2^53',
    '/reads/sample?referenceName=chr1&start=9223372036854775807&end=9223372036854775806',
    INVALID_RANGE,
  ),
  post('start over end in a POST', { regions: [{ referenceName: 'chr1', start: 2, end: 1 }] }, INVALID_RANGE),
  post('start = end in a POST', { regions: [{ referenceName: 'chr1', start: 2, end: 2 }] }, INVALID_RANGE),
  get('start = end', '/reads/sample?referenceName=chr1&start=1000&end=1000', TICKET),
  // As htsjdk sends it.
  ...['application/x-www-form-urlencoded', 'text/plain; charset=utf-8'].map((type) =>
    post(`JSON as ${type}`, { regions: [{ referenceName: 'chr1' }] }, TICKET, { headers: { 'content-type': type } }),
  ),
  get('start beyond the reference', '/reads/sample?referenceName=chr1&start=150001', TICKET),
  get('2^63-1', '/reads/sample?referenceName=chr1&start=0&end=9223372036854775807', TICKET),
  get('class=header with an unknown reference', '/reads/sample?referenceName=na&class=header', TICKET),
  get(
    'class=header with everything',
    '/reads/sample?class=header&fields=SEQ&tags=NM&referenceName=chr1&start=9&end=1',
    TICKET,
  ),
  get('an unknown parameter', '/reads/sample?class=header&x=1&x=2', TICKET),
  post('an unknown key', { class: 'header', x: [1] }, TICKET),
  post('a body of class header with regions', { class: 'header', regions: [{ referenceName: 'na' }] }, TICKET),
];

const idRows: readonly ErrorRow[] = [
  get('an unknown id', '/reads/nothing', NOT_FOUND),
  get('an id of the other datatype', '/variants/bam-only', NOT_FOUND),
  get('ID.csi, which bcftools looks for', '/variants/sample.csi', NOT_FOUND),
  get('ID.tbi, which bcftools looks for', '/variants/sample.tbi', NOT_FOUND),
  get('an id with a parent folder segment', '/reads/a%2F..%2Fsample', NOT_FOUND),
  get('an id with an encoded dot segment', '/reads/a%2F%2E%2Fsample', NOT_FOUND),
  get('an id with an empty segment', '/reads/a//sample', NOT_FOUND),
  get('an id with NUL', '/reads/sample%00', NOT_FOUND),
  get('an id that is not UTF-8', '/reads/%ff', NOT_FOUND, { except: ['Fastify'] }),
  get('an id with invalid percent-encoding', '/reads/%', NOT_FOUND, { except: ['Fastify'] }),
  get('no id', '/reads/', NOT_FOUND),
  get('neither id nor slash', '/reads', NOT_FOUND),
  get('an unknown path', '/writes/sample', NOT_FOUND),
  get('an unknown path with another method', '/writes/sample', NOT_FOUND, { method: 'DELETE' }),
  get('the root', '/', NOT_FOUND),
  get('an id with slashes', '/reads/cohort/a%2Fb?class=header', TICKET),
];

const QUERY = { method: 'QUERY', headers: { 'content-type': 'application/json' } } as const;

const methodRows: readonly ErrorRow[] = [
  ...(['PUT', 'DELETE', 'PATCH'] as const).map((method) =>
    get(`${method} of a ticket`, '/reads/sample', [405, 'InvalidInput'], {
      method,
      has: { allow: 'GET, HEAD, POST, QUERY, OPTIONS' },
    }),
  ),
  // Fastify answers a QUERY without a Content-Type with 400, as RFC 10008 asks.
  get('QUERY of a ticket', '/reads/sample', TICKET, { ...QUERY, body: '{"class":"header"}' }),
  get('QUERY of service-info', '/reads/service-info', [405, 'InvalidInput'], { ...QUERY, body: '{}' }),
  get('POST of service-info', '/reads/service-info', [405, 'InvalidInput'], {
    method: 'POST',
    has: { allow: 'GET, HEAD, OPTIONS' },
  }),
  get('POST of a block', '/blocks/e30.AAAA', [405, 'InvalidInput'], {
    method: 'POST',
    has: { allow: 'GET, HEAD, OPTIONS' },
  }),
  get('a block that was not issued', '/blocks/e30.AAAA', DENIED),
];

const limitRows: readonly ErrorRow[] = [
  post('a body over the limit', { x: 'x'.repeat(3000) }, TOO_LARGE),
  post('more regions than the limit', { regions: Array(5).fill({ referenceName: 'chr1' }) }, TOO_LARGE),
  get('a plan over the limit of blocks', '/reads/long', TOO_LARGE),
];

const failureRows: readonly ErrorRow[] = [
  get('a corrupt index', '/reads/corrupt-index?referenceName=chr1', INTERNAL),
  get('a corrupt header', '/reads/corrupt-data', INTERNAL),
  get('an index that is gone', '/reads/lost-index?referenceName=chr1', INTERNAL),
  get('data that is gone', '/reads/lost-data', INTERNAL),
  get('a resolver that fails', '/reads/resolver-fails', INTERNAL),
  get('an authorizer that fails', '/reads/authorizer-fails', INTERNAL),
  get('a storage that fails for the moment', '/reads/unavailable', [503, 'InternalServerError'], {
    has: { 'retry-after': '5' },
  }),
];

const permissionRows: readonly ErrorRow[] = [
  get('no token', '/reads/guarded', UNAUTHENTICATED, { has: { 'www-authenticate': 'Bearer' } }),
  get('an insufficient scope', '/reads/guarded', DENIED, bearer('other')),
  get('the header, with a permission of one region', '/reads/guarded?class=header', TICKET, bearer('region')),
  get('a region that is permitted', '/reads/guarded?referenceName=chr1&start=1000&end=2000', TICKET, bearer('region')),
  get('a region that is not permitted', '/reads/guarded?referenceName=chr2', DENIED, bearer('region')),
  get('a CRAM with one permitted region', '/reads/guarded?format=CRAM', DENIED, {
    ...bearer('region'),
    message: /BAM/,
  }),
];

/** The first of two errors in this order is reported: authentication, syntax, id, format, permission, reference, range. */
const orderRows: readonly ErrorRow[] = [
  get('authentication before syntax', '/reads/guarded?class=body', UNAUTHENTICATED),
  get('authentication before the id', '/reads/guarded/nothing', UNAUTHENTICATED),
  get('authentication before the format', '/reads/guarded?format=SAM', UNAUTHENTICATED),
  get('syntax before the id', '/reads/nothing?start=x', INVALID_INPUT),
  get('syntax before the format', '/reads/sample?format=SAM&start=x', INVALID_INPUT),
  get('syntax before the reference', '/reads/sample?referenceName=chr99&start=x', INVALID_INPUT),
  get('syntax before the range', '/reads/sample?referenceName=chr1&start=2&end=1&tags=,', INVALID_INPUT),
  get('the id before the format', '/reads/nothing?format=SAM', NOT_FOUND),
  get('the id before the range', '/reads/nothing?referenceName=a&start=2&end=1', NOT_FOUND),
  get('the format before permission', '/reads/guarded?format=SAM&referenceName=chr2', UNSUPPORTED, bearer('region')),
  get('the format before the reference', '/reads/bam-only?format=CRAM&referenceName=chr99', UNSUPPORTED),
  get('the format before the reference *', '/variants/bcf-only?format=BAM&referenceName=*', UNSUPPORTED),
  get('the format before the range', '/reads/sample?format=SAM&referenceName=chr1&start=2&end=1', UNSUPPORTED),
  get('permission before the reference', '/reads/guarded?referenceName=chr99', DENIED, bearer('region')),
  get('permission before the range', '/reads/guarded?referenceName=chr2&start=2&end=1', DENIED, bearer('region')),
  get('the reference before the range', '/reads/sample?referenceName=chr99&start=2&end=1', NOT_FOUND),
  post(
    'the reference before the range of another region',
    { regions: [{ referenceName: 'chr1', start: 2, end: 1 }, { referenceName: 'chr99' }] },
    NOT_FOUND,
  ),
];

export const errorRows: readonly ErrorRow[] = [
  ...syntaxRows,
  ...formatRows,
  ...regionRows,
  ...idRows,
  ...methodRows,
  ...limitRows,
  ...failureRows,
  ...permissionRows,
  ...orderRows,
];
