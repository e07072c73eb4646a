import { LOCATED, LOCATED_WHOLE, type ServiceName, STORE_URL } from './answer-service.js';
import { CIRCULAR, EMPTY, JSON_TYPE, LINEAR, TEXT_TYPE } from './sequence-service.js';

/** A request and its response. The rows of this file are the behaviour of the handler as a table. */
export interface AnswerRow {
  readonly name: string;
  readonly path: string;
  readonly status: number;
  readonly method?: 'PUT' | 'POST' | 'DELETE' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  /** Default `default`. */
  readonly service?: ServiceName;
  /** The whole body. */
  readonly body?: string;
  /** Properties of the body as JSON. */
  readonly json?: object;
  /** Message of an error. */
  readonly message?: RegExp;
  /** Headers besides those of every response; null for a header that must be missing. */
  readonly has?: Readonly<Record<string, string | null>>;
  /** Frameworks that reject the request before the handler sees it. */
  readonly except?: readonly string[];
}

type RowDetails = Omit<AnswerRow, 'name' | 'path' | 'status'>;

const BASES = 'ACGTNACGTR';
const { md5, sha512t24u, trunc512 } = LINEAR.metadata;
const linear = `/sequence/${md5}`;
const circular = `/sequence/${CIRCULAR.metadata.md5}`;
const empty = `/sequence/${EMPTY.metadata.md5}`;
const located = `/sequence/${LOCATED.metadata.md5}`;
const locatedWhole = `/sequence/${LOCATED_WHOLE.metadata.md5}`;
const stdTextType = TEXT_TYPE.replace('ga4gh', 'std');
const stdJsonType = JSON_TYPE.replace('ga4gh', 'std');

function row(name: string, path: string, status: number, details: RowDetails = {}): AnswerRow {
  return { name, path, status, ...details };
}

const range = (value: string, details: RowDetails = {}): RowDetails => ({ headers: { range: value }, ...details });
const accept = (value: string, details: RowDetails = {}): RowDetails => ({ headers: { accept: value }, ...details });
const bases = (body: string, details: RowDetails = {}): RowDetails => ({ body, ...details });

const identifierRows: readonly AnswerRow[] = [
  ...[
    md5,
    md5.toUpperCase(),
    `md5:${md5}`,
    `MD5:${md5.toUpperCase()}`,
    trunc512,
    trunc512.toUpperCase(),
    `trunc512:${trunc512}`,
    `Trunc512:${trunc512.toUpperCase()}`,
    sha512t24u,
    `ga4gh:${sha512t24u}`,
    `std:${sha512t24u}`,
    `GA4GH:${sha512t24u}`,
    `STD%3A${sha512t24u}`,
  ].flatMap((id) => [
    row('a digest finds its sequence', `/sequence/${id}`, 200, bases(BASES)),
    row('a digest finds its metadata', `/sequence/${id}/metadata`, 200, {
      json: { metadata: { md5, ga4gh: sha512t24u } },
    }),
  ]),
  ...['insdc:X.1', 'INSDC:X.1', 'insdc%3aX.1'].map((id) =>
    row('a CURIE finds its sequence', `/sequence/${id}`, 200, bases(BASES)),
  ),
  row('a slash at the end is ignored', `${linear}/`, 200, bases(BASES)),
  row('a name of several sequences', '/sequence/insdc:twin', 300, {
    json: [`ga4gh:${sha512t24u}`, `ga4gh:${CIRCULAR.metadata.sha512t24u}`],
    has: { 'content-type': JSON_TYPE },
  }),
  row('metadata of a name of several sequences', '/sequence/insdc:twin/metadata', 300),
  row('a name of several sequences, by setting', '/sequence/insdc:twin', 409, { service: 'ambiguous 409' }),
  ...[
    'unknown',
    '0'.repeat(32),
    '0'.repeat(48),
    `SQ.${'0'.repeat(32)}`,
    sha512t24u.toLowerCase(),
    sha512t24u.slice(3),
    `sq.${sha512t24u.slice(3)}`,
    `md5:${trunc512}`,
    `trunc512:${md5}`,
    `md5:${sha512t24u}`,
    `ga4gh:${md5}`,
    `vmc:${sha512t24u}`,
    'insdc:unknown',
    'insdc:x.1',
    'insdc:',
    ':X.1',
    'X.1',
    `${md5}0`,
    `%20${md5}`,
    `${md5}%00`,
    `a%2F${md5}`,
  ].flatMap((id) => [
    row('an id that is unknown or malformed', `/sequence/${id}`, 404),
    row('metadata of such an id', `/sequence/${id}/metadata`, 404),
  ]),
  ...['%ff', '%'].map((id) => row('an id that is not UTF-8', `/sequence/${id}`, 404, { except: ['Fastify'] })),
];

const wholeRows: readonly AnswerRow[] = [
  row('a whole sequence', linear, 200, {
    body: BASES,
    has: {
      'content-type': TEXT_TYPE,
      'content-length': '10',
      'accept-ranges': 'bytes',
      'content-range': null,
      'content-encoding': null,
      etag: `"${sha512t24u}"`,
      'cache-control': 'public, max-age=31536000, immutable',
    },
  }),
  row('a sequence by its name, which may be given to another one', '/sequence/insdc:X.1', 200, {
    has: { 'cache-control': 'public, no-cache', etag: `"${sha512t24u}"` },
  }),
  row('an empty sequence', empty, 200, bases('', { has: { 'content-length': '0' } })),
  row('parameters that mean nothing', `${linear}?x=1&x=2`, 200, bases(BASES)),
];

const coordinateRows: readonly AnswerRow[] = [
  row('start and end', `${linear}?start=2&end=5`, 200, {
    body: 'GTN',
    has: { 'accept-ranges': 'none', 'content-length': '3', 'content-range': null },
  }),
  row('start alone', `${linear}?start=8`, 200, bases('TR')),
  row('end alone', `${linear}?end=3`, 200, bases('ACG')),
  row('start of 0', `${linear}?start=0`, 200, bases(BASES, { has: { 'accept-ranges': 'none' } })),
  row('end at the length', `${linear}?start=9&end=10`, 200, bases('R')),
  row('zeros in front', `${linear}?start=0002&end=00005`, 200, bases('GTN')),
  row('start = end', `${linear}?start=5&end=5`, 200, bases('', { has: { 'content-length': '0' } })),
  row('end of 0', `${linear}?end=0`, 200, bases('')),
  row('0 of an empty sequence', `${empty}?start=0`, 200, bases('')),
  row('0 to 0 of an empty sequence', `${empty}?start=0&end=0`, 200, bases('')),
  row('start > length', `${linear}?start=11`, 400),
  row('start and end > length', `${linear}?start=11&end=12`, 400),
  row('start > length of an empty sequence', `${empty}?start=1`, 400),
  row('start > length of a circular sequence', `${circular}?start=9&end=2`, 400),
  row('start = length', `${linear}?start=10`, 416, { has: { 'content-range': null } }),
  row('start = end = length', `${linear}?start=10&end=10`, 416),
  row('end > length', `${linear}?end=11`, 416),
  row('end > length of an empty sequence', `${empty}?end=1`, 416),
  row('end of 2^32-1', `${linear}?end=4294967295`, 416),
  ...['abc', '-1', '', '1.5', '%2B1', '4294967296', '1e1', '0x1', '%201', '99999999999999999999', '%D9%A1'].flatMap(
    (text) => [
      row(`start "${text}"`, `${linear}?start=${text}`, 400),
      row(`end "${text}"`, `${linear}?start=0&end=${text}`, 400),
    ],
  ),
  row('start given twice', `${linear}?start=1&start=1`, 400),
  row('end given twice', `${linear}?end=1&end=2`, 400),
];

const circularRows: readonly AnswerRow[] = [
  row('start > end of a circular sequence', `${circular}?start=5&end=3`, 200, {
    body: 'GTTAAC',
    has: { 'content-length': '6', 'accept-ranges': 'none' },
  }),
  row('start > end = 0 of a circular sequence', `${circular}?start=6&end=0`, 200, bases('TT')),
  row('all but one base around the origin', `${circular}?start=7&end=6`, 200, bases('TAACCGG')),
  row('start = length > end of a circular sequence', `${circular}?start=8&end=2`, 416),
  row('start > end of a linear sequence', `${linear}?start=5&end=3`, 416),
  row('start > end without support', `${circular}?start=5&end=3`, 501, { service: 'no circular' }),
  row('start > end of a linear sequence without support', `${linear}?start=5&end=3`, 501, { service: 'no circular' }),
  row('start < end of a circular sequence without support', `${circular}?start=3&end=5`, 200, {
    body: 'CG',
    service: 'no circular',
  }),
  row('FASTA around the origin', `${circular}?start=5&end=3`, 200, {
    ...accept('text/x-fasta'),
    body: `>${CIRCULAR.metadata.sha512t24u}:6-3\nGTTAAC\n`,
  }),
];

const beyond = { has: { 'content-range': 'bytes */10' } };

const rangeRows: readonly AnswerRow[] = [
  row('a Range', linear, 206, {
    ...range('bytes=2-4'),
    body: 'GTN',
    has: {
      'content-type': TEXT_TYPE,
      'content-range': 'bytes 2-4/10',
      'content-length': '3',
      'accept-ranges': 'bytes',
      etag: `"${sha512t24u}"`,
    },
  }),
  row('a Range of everything', linear, 206, range('bytes=0-9', bases(BASES))),
  row('a Range whose last byte is beyond the end', linear, 206, {
    ...range('bytes=8-99'),
    body: 'TR',
    has: { 'content-range': 'bytes 8-9/10' },
  }),
  row('a Range without a last byte', linear, 206, range('bytes=7-', bases('GTR'))),
  row('a suffix', linear, 206, range('bytes=-5', { body: 'ACGTR', has: { 'content-range': 'bytes 5-9/10' } })),
  row('a suffix longer than the sequence', linear, 206, range('bytes=-99', bases(BASES))),
  row('a unit in capitals', linear, 206, range('BYTES=0-0', bases('A'))),
  ...(['default', 'range 416'] as const).flatMap((service) => {
    const status = service === 'default' ? 400 : 416;
    return [
      row(`first byte = length (${status})`, linear, status, { ...range('bytes=10-'), ...beyond, service }),
      row(`first byte > length (${status})`, linear, status, { ...range('bytes=11-12'), ...beyond, service }),
      row(`a suffix of 0 (${status})`, linear, status, { ...range('bytes=-0'), ...beyond, service }),
      row(`a Range of an empty sequence (${status})`, empty, status, {
        ...range('bytes=0-0'),
        has: { 'content-range': 'bytes */0' },
        service,
      }),
      row(`first > last with rangeOutOfBounds ${status}`, linear, 416, { ...range('bytes=5-2'), ...beyond, service }),
    ];
  }),
  ...['bytes=0-1,3-4', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes 0-1', 'items=0-1', 'bytes=0-1x', '0-1'].map((value) =>
    row(`Range ${value}`, linear, 400, range(value)),
  ),
  row('Range with start', `${linear}?start=1`, 400, range('bytes=0-1')),
  row('Range with start=0', `${linear}?start=0`, 400, range('bytes=0-1')),
  row('Range with end', `${linear}?end=5`, 400, range('bytes=0-1')),
];

const limitRows: readonly AnswerRow[] = [
  row('a part as long as the limit', `${linear}?start=1&end=5`, 200, { body: 'CGTN', service: 'limit 4' }),
  row('a part over the limit', `${linear}?start=1&end=6`, 416, { service: 'limit 4', message: /limit of 4/ }),
  row('an open part over the limit', `${linear}?start=1`, 416, { service: 'limit 4' }),
  row('a part around the origin as long as the limit', `${circular}?start=6&end=2`, 200, {
    body: 'TTAA',
    service: 'limit 4',
  }),
  row('a part around the origin over the limit', `${circular}?start=6&end=3`, 416, { service: 'limit 4' }),
  row('a Range that is within the limit once it is clipped', linear, 206, {
    ...range('bytes=7-99'),
    body: 'GTR',
    service: 'limit 4',
  }),
  row('a Range over the limit', linear, 416, { ...range('bytes=0-4'), ...beyond, service: 'limit 4' }),
  row('a whole sequence, which is not a part', linear, 200, { body: BASES, service: 'limit 4' }),
];

const fasta = `>${sha512t24u}\n${BASES}\n`;
const json = JSON.stringify({ id: sha512t24u, sequence: BASES });

const formatRows: readonly AnswerRow[] = [
  ...[
    '*/*',
    'text/*',
    'text/plain',
    'text/plain; charset=us-ascii',
    'text/vnd.ga4gh.refget.v2.0.0+plain',
    'text/vnd.ga4gh.refget.v2.0.0+plain; charset=us-ascii',
    'text/vnd.ga4gh.refget.v1.0.0+plain',
    'text/vnd.ga4gh.refget.v1.0.1+plain',
    'TEXT/PLAIN',
    'image/png, text/plain;q=0.1',
    'text/html, application/xml;q=0.9, */*;q=0.8',
    'application/json;q=0.4, text/plain;q=0.5',
    'application/json;q=0, */*',
  ].map((value) =>
    row(`Accept ${value}`, linear, 200, accept(value, { body: BASES, has: { 'content-type': TEXT_TYPE } })),
  ),
  row('Accept of std', linear, 200, {
    ...accept('text/vnd.std.refget.v2.0.0+plain'),
    body: BASES,
    has: { 'content-type': stdTextType },
  }),
  ...['application/json', 'application/*', 'application/vnd.ga4gh.refget.v2.0.0+json', 'text/plain;q=0, */*;q=0.1'].map(
    (value) => row(`Accept ${value}`, linear, 200, accept(value, { body: json, has: { 'content-type': JSON_TYPE } })),
  ),
  ...['text/x-fasta', 'text/plain;q=0.5, text/x-fasta'].map((value) =>
    row(
      `Accept ${value}`,
      linear,
      200,
      accept(value, { body: fasta, has: { 'content-type': 'text/x-fasta; charset=us-ascii' } }),
    ),
  ),
  row('a part as JSON', `${linear}?start=2&end=5`, 200, {
    ...accept('application/json'),
    json: { id: `${sha512t24u}:3-5`, sequence: 'GTN' },
  }),
  row('a Range, which counts bases, as FASTA', linear, 206, {
    headers: { accept: 'text/x-fasta', range: 'bytes=2-4' },
    body: `>${sha512t24u}:3-5\nGTN\n`,
    has: { 'content-range': 'bytes 2-4/10' },
  }),
  ...['image/png', 'text/html', 'text/plain;q=0', '*/*;q=0', 'text/vnd.ga4gh.refget.v3.0.0+plain', 'nonsense'].map(
    (value) => row(`Accept ${value}`, linear, 406, accept(value, { message: /text\/plain.*application\/json/ })),
  ),
  row('metadata as plain text', `${linear}/metadata`, 406, accept('text/plain', { message: /application\/json/ })),
  row('service-info as plain text', '/sequence/service-info', 406, accept('text/plain')),
];

const cachingRows: readonly AnswerRow[] = [
  ...[`"${sha512t24u}"`, `W/"${sha512t24u}"`, `"x", "${sha512t24u}"`, '*'].map((value) =>
    row(`If-None-Match ${value}`, linear, 304, {
      headers: { 'if-none-match': value },
      body: '',
      has: { etag: `"${sha512t24u}"`, 'cache-control': 'public, max-age=31536000, immutable' },
    }),
  ),
  row('If-None-Match of another tag', linear, 200, { headers: { 'if-none-match': '"x"' }, body: BASES }),
  row('If-None-Match of another format', linear, 200, {
    headers: { 'if-none-match': `"${sha512t24u}"`, accept: 'application/json' },
    body: json,
  }),
  ...[`"${sha512t24u}"`, `"x", "${sha512t24u}"`, '*'].map((value) =>
    row(`If-Match ${value}`, linear, 200, { headers: { 'if-match': value }, body: BASES }),
  ),
  ...['"x"', `W/"${sha512t24u}"`, `"${sha512t24u}.json"`, ''].map((value) =>
    row(`If-Match ${value}`, linear, 412, {
      headers: { 'if-match': value, 'if-none-match': '*' },
      message: /entity tag/,
    }),
  ),
  row('If-Match with an invalid range', `${linear}?start=99`, 400, { headers: { 'if-match': '"x"' } }),
  row('If-None-Match with an invalid range', `${linear}?start=99`, 400, { headers: { 'if-none-match': '*' } }),
  row('If-Range of the tag', linear, 206, {
    headers: { 'if-range': `"${sha512t24u}"`, range: 'bytes=0-1' },
    body: 'AC',
  }),
  ...['"x"', `W/"${sha512t24u}"`, 'Wed, 21 Oct 2015 07:28:00 GMT'].map((value) =>
    row(`If-Range ${value}`, linear, 200, { headers: { 'if-range': value, range: 'bytes=0-1' }, body: BASES }),
  ),
];

const redirectRows: readonly AnswerRow[] = [
  ...(
    [
      ['default', 303],
      ['redirect 302', 302],
      ['redirect 307', 307],
    ] as const
  ).flatMap(([service, status]) => [
    row(`a sequence that lies in a store (${status})`, located, status, {
      service,
      body: '',
      has: { location: STORE_URL, 'content-length': '0', 'cache-control': 'no-store', etag: null },
    }),
    row(`a Range, which the client sends again (${status})`, located, status, {
      ...range('bytes=2-4'),
      service,
      body: '',
      has: { location: STORE_URL, 'content-range': null },
    }),
    row(`start and end, which the URL holds (${status})`, `${located}?start=2&end=5`, status, {
      service,
      has: { location: `${STORE_URL}&bases=2-5` },
    }),
  ]),
  row('a part of what only lies in a store whole', `${locatedWhole}?start=3&end=6`, 200, bases('CAA')),
  row('the whole of it', locatedWhole, 303, { has: { location: STORE_URL } }),
  row('JSON of what lies in a store', located, 200, accept('application/json')),
  row('FASTA of what lies in a store', located, 200, accept('text/x-fasta')),
  row('metadata of what lies in a store', `${located}/metadata`, 200),
  row('what wraps around the origin', `${located}?start=6&end=2`, 200, bases('GGTT')),
  row('what is empty', `${located}?start=2&end=2`, 200, bases('')),
  row('a Range beyond the end', located, 400, range('bytes=8-')),
  row('what the client has', located, 304, { headers: { 'if-none-match': '*' } }),
  row('If-Range, with a tag that the store does not know', located, 206, {
    headers: { 'if-range': `"${LOCATED.metadata.sha512t24u}"`, range: 'bytes=3-4' },
    body: 'TG',
  }),
  row('a redirect that needs a token', located, 401, { service: 'guarded', has: { location: null } }),
];

const metadata = {
  md5,
  trunc512,
  length: 10,
  circular: false,
  aliases: [
    { alias: 'X.1', naming_authority: 'insdc' },
    { alias: 'twin', naming_authority: 'insdc' },
  ],
};

const documentRows: readonly AnswerRow[] = [
  row('metadata', `${linear}/metadata`, 200, {
    json: { metadata: { id: md5, ...metadata, ga4gh: sha512t24u } },
    has: { 'content-type': JSON_TYPE, 'cache-control': 'public, no-cache' },
  }),
  row('metadata for Accept of std', `/sequence/${trunc512}/metadata`, 200, {
    ...accept('application/vnd.std.refget.v2.0.0+json'),
    json: { metadata: { id: trunc512, ...metadata, std: sha512t24u } },
    has: { 'content-type': stdJsonType },
  }),
  row('metadata of a circular sequence', `${circular}/metadata/`, 200, { json: { metadata: { circular: true } } }),
  row('metadata where the setting is std', `${linear}/metadata`, 200, {
    service: 'std',
    json: { metadata: { std: sha512t24u } },
    has: { 'content-type': stdJsonType },
  }),
  row('metadata with a Range, which means nothing to it', `${linear}/metadata`, 200, range('bytes=99-')),
  row('service-info', '/sequence/service-info', 200, {
    json: {
      id: 'org.htskit.refget',
      name: 'htskit refget',
      version: '0.0.0',
      organization: { name: 'htskit', url: 'https://github.com/htskit/htskit' },
      type: { group: 'org.ga4gh', artifact: 'refget', version: '2.0.0' },
      refget: {
        circular_supported: true,
        subsequence_limit: 0,
        algorithms: ['md5', 'ga4gh', 'trunc512'],
        identifier_types: ['insdc'],
      },
    },
    has: { 'content-type': JSON_TYPE },
  }),
  row('service-info with a slash', '/sequence/service-info/', 200, { json: { type: { artifact: 'refget' } } }),
  row('service-info for Accept of std', '/sequence/service-info', 200, {
    ...accept('application/vnd.std.refget.v2.0.0+json'),
    json: { type: { group: 'org.std' }, refget: { algorithms: ['md5', 'std', 'trunc512'] } },
    has: { 'content-type': stdJsonType },
  }),
  row('service-info for Accept of ga4gh where the setting is std', '/sequence/service-info', 200, {
    ...accept('application/vnd.ga4gh.refget.v2.0.0+json'),
    service: 'std',
    json: { type: { group: 'org.ga4gh' } },
    has: { 'content-type': JSON_TYPE },
  }),
  row('service-info tells the settings', '/sequence/service-info', 200, {
    service: 'limit 4',
    json: { name: 'mine', refget: { subsequence_limit: 4 } },
  }),
  row('service-info without circular support', '/sequence/service-info', 200, {
    service: 'no circular',
    json: { refget: { circular_supported: false } },
  }),
  row('service-info needs no token', '/sequence/service-info', 200, { service: 'guarded' }),
];

const guarded = (details: RowDetails = {}): RowDetails => ({ service: 'guarded', ...details });
const token = { authorization: 'Bearer good' };

/** The first of two errors in the order 401, 404, 406, 400, 416, 501 is reported. */
const orderRows: readonly AnswerRow[] = [
  row('no token', linear, 401, guarded({ has: { 'www-authenticate': 'Bearer' } })),
  row('another token', linear, 401, guarded({ headers: { authorization: 'Bearer bad' } })),
  row('metadata without a token', `${linear}/metadata`, 401, guarded()),
  row(
    'a token',
    linear,
    200,
    guarded({ headers: token, has: { 'cache-control': 'private, max-age=31536000, immutable' } }),
  ),
  row('401 before 404', '/sequence/unknown', 401, guarded()),
  row('401 before 406', linear, 401, guarded(accept('image/png'))),
  row('401 before 400', `${linear}?start=x`, 401, guarded()),
  row('404 before 406', '/sequence/unknown', 404, guarded({ headers: { ...token, accept: 'image/png' } })),
  row('404 before 400', '/sequence/unknown?start=x', 404),
  row('300 before 406', '/sequence/insdc:twin', 300, accept('image/png')),
  row('406 before 400', `${linear}?start=x`, 406, accept('image/png')),
  row('406 before 416', `${linear}?end=99`, 406, accept('image/png')),
  row('406 before 501', `${linear}?start=5&end=3`, 406, { ...accept('image/png'), service: 'no circular' }),
  row('400 before 416', `${linear}?start=x&end=99`, 400),
  row('400 of start before 416 of end', `${linear}?start=11&end=99`, 400),
  row('400 before 501', `${linear}?start=11&end=3`, 400, { service: 'no circular' }),
  row('416 of bounds before wrapping', `${linear}?start=10&end=3`, 416, { service: 'no circular' }),
  row('400 of Range and start before 416', `${linear}?end=99`, 400, range('bytes=5-2')),
];

const pathRows: readonly AnswerRow[] = [
  ...(['POST', 'PUT', 'DELETE', 'PATCH'] as const).flatMap((method) =>
    [linear, `${linear}/metadata`, '/sequence/service-info', '/sequence/unknown'].map((path) =>
      row(`${method} of ${path}`, path, 405, { method, has: { allow: 'GET, HEAD, OPTIONS' } }),
    ),
  ),
  ...[
    '/',
    '/sequence',
    '/sequence/',
    '/sequences/x',
    `${linear}/other`,
    `${linear}/metadata/x`,
    '/x',
    `/x${linear}`,
  ].map((path) => row('an unknown path', path, 404)),
  row('an unknown path with another method', '/nowhere', 404, { method: 'DELETE' }),
  row('metadata of service-info', '/sequence/service-info/metadata', 404),
];

export const answerRows: readonly AnswerRow[] = [
  ...identifierRows,
  ...wholeRows,
  ...coordinateRows,
  ...circularRows,
  ...rangeRows,
  ...limitRows,
  ...formatRows,
  ...cachingRows,
  ...redirectRows,
  ...documentRows,
  ...orderRows,
  ...pathRows,
];
