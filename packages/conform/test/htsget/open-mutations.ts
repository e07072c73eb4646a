import { onRequests, type RequestFilter, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';

function hasParameter(name: string, value: string): RequestFilter {
  return ({ searchParams }) => searchParams.get(name) === value;
}

/** The requests of points that are open, which the service answers by the second reading. */
const REFUSED: readonly (readonly [rule: string, matches: RequestFilter])[] = [
  ['format-case', hasParameter('format', 'bam')],
  ['unknown-parameter', hasParameter('htskit-conform', '1')],
  ['empty-region', hasParameter('end', '7')],
  ['start-after-reference', hasParameter('start', '2000000000')],
  ['end-after-reference', hasParameter('end', '2147483647')],
  ['int64-end', hasParameter('end', '1099511627776')],
  ['post-unknown-member', (_, __, body) => body.includes('htskit-conform')],
];

const ACCEPTED: readonly (readonly [rule: string, matches: RequestFilter])[] = [
  ['repeated-parameter', ({ searchParams }) => searchParams.getAll('class').length === 2],
  ['empty-start', hasParameter('start', '')],
  ['unplaced-variants', hasParameter('referenceName', '*')],
  ['post-top-level-region', (_, __, body) => body.includes('"referenceName"')],
];

export const OPEN_MUTATIONS: readonly Mutation[] = [
  ...REFUSED.map(([name, matches]) => ({
    rule: `htsget.open.${name}`,
    fault: 'refuses the request',
    break: onRequests(matches, async () => Response.json({ htsget: { error: 'InvalidInput' } }, { status: 400 })),
  })),
  ...ACCEPTED.map(([name, matches]) => ({
    rule: `htsget.open.${name}`,
    fault: 'accepts the request',
    break: withStatus(200, matches),
  })),
];
