import { dataUri, parseHtsgetGet, parseHtsgetPost, parseSubsequence } from '@htskit/protocol';
import { equal } from '../check.mjs';

export const checks = {
  'reads the query of a GET': () => {
    const { format, regions } = parseHtsgetGet('reads', new URLSearchParams('referenceName=chr1&start=5&end=10'));
    equal([format, regions], ['BAM', [{ referenceName: 'chr1', start: 5, end: 10 }]]);
  },
  'reads the body of a POST': () => {
    const body = JSON.stringify({ format: 'BAM', regions: [{ referenceName: 'chr1' }] });
    equal(parseHtsgetPost('reads', new URLSearchParams(), body).regions[0].referenceName, 'chr1');
  },
  'reads a subsequence': () => {
    equal(parseSubsequence(new URLSearchParams('start=5&end=10')), { start: 5, end: 10 });
  },
  'writes a data URI': () => {
    equal(dataUri(Uint8Array.of(0, 255)), 'data:;base64,AP8=');
  },
};
