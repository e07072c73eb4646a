import { withMember } from '../refget/document-mutations.js';
import type { HeadFilter } from '../refget/requests.js';
import { changeJson, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';

const isComparison: HeadFilter = ({ pathname }, request) =>
  pathname.startsWith('/comparison/') && request.method === 'GET';
const isPosted: HeadFilter = ({ pathname }, request) =>
  pathname.startsWith('/comparison/') && request.method === 'POST';

/** Sets a member of the comparisons that match. */
function setMember(matches: HeadFilter, path: string, value: unknown): Mutation['break'] {
  return changeJson(matches, (document) => withMember(document, path, value));
}

const ORDER = 'array_elements.a_and_b_same_order.names';

export const COMPARISON_MUTATIONS: readonly Mutation[] = [
  { rule: 'seqcol.comparison.supported', fault: 'does not compare', break: withStatus(501, isComparison) },
  {
    rule: 'seqcol.comparison.digests',
    fault: 'has null for a digest of the request',
    break: setMember(isComparison, 'digests.b', null),
  },
  {
    rule: 'seqcol.comparison.attributes',
    fault: 'has the names of attributes as text',
    break: setMember(isComparison, 'attributes.a_and_b', 'names,sequences'),
  },
  {
    rule: 'seqcol.comparison.counts',
    fault: 'counts attributes in place of elements',
    break: setMember(isComparison, 'array_elements.a_and_b_count.names', 6),
  },
  {
    rule: 'seqcol.comparison.swapped',
    fault: 'has the elements of one collection twice',
    break: setMember(isComparison, 'array_elements.b_count', { names: 1 }),
  },
  {
    rule: 'seqcol.comparison.transient',
    fault: 'does not list transient attributes',
    break: setMember(isComparison, 'attributes.a_and_b', ['names', 'sequences']),
  },
  {
    rule: 'seqcol.comparison.transient-elements',
    fault: 'counts elements of transient attributes',
    break: setMember(isComparison, 'array_elements.a_count.sorted_name_length_pairs', 5),
  },
  { rule: 'seqcol.comparison.post', fault: 'does not compare with a body', break: withStatus(405, isPosted) },
  {
    rule: 'seqcol.comparison.post-digest',
    fault: 'has an object for the digest of the body',
    break: setMember(isPosted, 'digests.b', {}),
  },
  {
    rule: 'seqcol.comparison.post-counts',
    fault: 'counts the elements of the first collection twice',
    break: setMember(isPosted, 'array_elements.b_count.names', 5),
  },
  {
    rule: 'seqcol.comparison.same-order',
    fault: 'finds another order if elements are missing',
    break: setMember(isPosted, ORDER, false),
  },
  {
    rule: 'seqcol.comparison.other-order',
    fault: 'finds every order to be the same',
    break: setMember(isPosted, ORDER, true),
  },
  {
    rule: 'seqcol.comparison.unbalanced',
    fault: 'has an order of repeated elements',
    break: setMember(isPosted, ORDER, true),
  },
  {
    rule: 'seqcol.comparison.single',
    fault: 'has an order of a single element',
    break: setMember(isPosted, ORDER, true),
  },
  {
    rule: 'seqcol.comparison.malformed',
    fault: 'answers 500 for a body that is not JSON',
    break: withStatus(500, isPosted),
  },
  {
    rule: 'seqcol.comparison.unknown',
    fault: 'answers 500 for an unknown collection',
    break: withStatus(500, ({ pathname }) => pathname.endsWith('_'.repeat(32))),
  },
];
