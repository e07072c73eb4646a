import {
  corsHeaders,
  ifRangeMatches,
  matchesIfNoneMatch,
  parseRangeHeader,
  preflightHeaders,
  toContentRange,
  toResponse,
} from '@htskit/http';
import { readJsonBody } from '@htskit/http/internal';
import {
  dataUri,
  HtsgetError,
  htsgetMediaType,
  htsgetServiceInfo,
  negotiateAuthority,
  negotiateMediaType,
  parseHtsgetGet,
  parseHtsgetPost,
  parseSubsequence,
  RefgetError,
  refgetServiceInfo,
  toHtsgetErrorBody,
  toRefgetErrorBody,
} from '@htskit/protocol';
import { equal, failsWith } from '../check.mjs';

const URL_OF_ALL = 'http://localhost/';

function post(body, contentType = 'application/json') {
  return new Request(URL_OF_ALL, { method: 'POST', body, headers: { 'content-type': contentType } });
}

export const checks = {
  'reads the query of a GET': () => {
    const { format, regions } = parseHtsgetGet('reads', new URLSearchParams('referenceName=chr1&start=5&end=10'));
    equal([format, regions], ['BAM', [{ referenceName: 'chr1', start: 5, end: 10 }]]);
  },
  'reads the body of a POST': () => {
    const body = JSON.stringify({ format: 'BAM', regions: [{ referenceName: 'chr1' }] });
    equal(parseHtsgetPost('reads', new URLSearchParams(), body).regions[0].referenceName, 'chr1');
  },
  'refuses queries that mean nothing, in the words of the protocol': async () => {
    const queries = { 'start=5': 'InvalidInput', 'format=GIF': 'UnsupportedFormat' };
    for (const [query, code] of Object.entries(queries)) {
      await failsWith(code, () => parseHtsgetGet('reads', new URLSearchParams(query)));
    }
    const { htsget } = toHtsgetErrorBody(new HtsgetError('NotFound', 'none'));
    equal(htsget, { error: 'NotFound', message: 'none' });
    equal(toRefgetErrorBody(new RefgetError('Not Found', 'none')).status, 404);
  },
  'reads the text of a JSON body in UTF-8, and no more': async () => {
    equal(await readJsonBody(post('{"é":1}'), 8), '{"é":1}');
    await failsWith('TOO_LARGE', () => readJsonBody(post('{"é":1}'), 7));
    equal(await readJsonBody(post('{}', 'text/plain'), 8), '{}');
    await failsWith('NOT_UTF8', () => readJsonBody(post('{}', 'application/json; charset=utf-16'), 8));
  },
  'reads a subsequence': () => {
    equal(parseSubsequence(new URLSearchParams('start=5&end=10')), { start: 5, end: 10 });
  },
  'reads and writes ranges of bytes': () => {
    equal(parseRangeHeader('bytes=5-', 10), { kind: 'range', range: { start: 5, end: 10 } });
    equal(parseRangeHeader('bytes=-3', 10), { kind: 'range', range: { start: 7, end: 10 } });
    equal(parseRangeHeader('bytes=10-', 10).kind, 'unsatisfiable');
    equal(toContentRange({ start: 5, end: 10 }, 10), 'bytes 5-9/10');
  },
  'compares entity tags': () => {
    equal([matchesIfNoneMatch('"a", W/"b"', '"b"'), matchesIfNoneMatch('"a"', '"b"')], [true, false]);
    equal(
      [ifRangeMatches('"a"', '"a"'), ifRangeMatches('W/"a"', '"a"'), ifRangeMatches(null, '"a"')],
      [true, false, true],
    );
  },
  'negotiates media types and the name of the standards body': () => {
    equal(negotiateMediaType('text/*;q=0.5, application/json', ['text/plain', 'application/json']), 'application/json');
    equal(negotiateMediaType('image/png', ['text/plain']), undefined);
    equal(negotiateAuthority('application/vnd.std.htsget.v1.0.0+json', 'ga4gh'), 'std');
    equal(htsgetMediaType('ga4gh'), 'application/vnd.ga4gh.htsget.v1.0.0+json; charset=utf-8');
  },
  'answers origins and preflights': () => {
    const headers = { origin: 'https://a.example', 'access-control-request-headers': 'Authorization, Range' };
    const request = { headers: new Headers(headers) };
    equal(corsHeaders(request)['Access-Control-Allow-Origin'], 'https://a.example');
    equal(preflightHeaders(request, ['GET'])['Access-Control-Allow-Headers'], 'Authorization, Range');
  },
  'writes the documents that describe services': () => {
    equal(htsgetServiceInfo({ datatype: 'reads', formats: ['BAM'], authority: 'ga4gh' }).type.artifact, 'htsget');
    equal(
      refgetServiceInfo({ authority: 'ga4gh', circularSupported: true, subsequenceLimit: 0 }).type.artifact,
      'refget',
    );
  },
  'makes a Response of a plain answer': async () => {
    const response = toResponse({ status: 203, headers: new Headers({ etag: '"a"' }), body: 'text' });
    equal([response.status, response.headers.get('etag'), await response.text()], [203, '"a"', 'text']);
  },
  'writes a data URI': () => {
    equal(dataUri(Uint8Array.of(0, 255)), 'data:;base64,AP8=');
  },
};
