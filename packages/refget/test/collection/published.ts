import type { CollectionMember } from '@htskit/sequences';
import type { CollectionComparison } from '../../src/collection/compare-collections.js';

/** A collection with published digests. */
export interface PublishedCollection {
  readonly name: string;
  readonly members: readonly CollectionMember[];
  readonly level1: Readonly<Record<string, string>>;
  readonly digest: string;
}

const LONG = member('SQ.iYtREV555dUFKg2_agSJW6suquUyPpMw', 8);
const GGAA = member('SQ.YBbVX0dLKG1ieEDCiMmkrTZFt_Z5Vdaj', 4);
const GCGC = member('SQ.AcLxtBuKEPk_7PGE_H4dGElwZHCujwH6', 4);

/** Bases of the sequences of the compliance tests, by digest. */
export const BASES: ReadonlyMap<string, string> = new Map([
  [LONG('').metadata.sha512t24u, 'TTGGGGAA'],
  [GGAA('').metadata.sha512t24u, 'GGAA'],
  [GCGC('').metadata.sha512t24u, 'GCGC'],
]);

function member(sha512t24u: string, length: number): (name: string) => CollectionMember {
  return (name) => ({ name, metadata: { length, sha512t24u } });
}

/** The six collections of the compliance tests of refgenie/refget (test_fasta). */
export const COMPLIANCE = {
  base: {
    name: 'base',
    members: [LONG('chrX'), GGAA('chr1'), GCGC('chr2')],
    digest: 'XZlrcEGi6mlopZ2uD8ObHkQB1d0oDwKk',
    level1: {
      lengths: 'cGRMZIb3AVgkcAfNv39RN7hnT5Chk7RX',
      names: 'Fw1r9eRxfOZD98KKrhlYQNEdSRHoVxAG',
      sequences: '0uDQVLuHaOZi1u76LjV__yrVUIz9Bwhr',
      sorted_sequences: 'KgWo6TT1Lqw6vgkXU9sYtCU9xwXoDt6M',
      name_length_pairs: 'B9MESWM8k-hK_OeQK8bZNAG74pLY0Ujq',
      sorted_name_length_pairs: 'zjM1Ie9m0zFbqsAnZ6jAJSXuFpKTr40J',
    },
  },
  differentNames: {
    name: 'different_names',
    members: [LONG('X'), GGAA('1'), GCGC('2')],
    digest: 'QvT5tAQ0B8Vkxd-qFftlzEk2QyfPtgOv',
    level1: {
      lengths: 'cGRMZIb3AVgkcAfNv39RN7hnT5Chk7RX',
      names: 'lrCv6NNXom7AC9tKFWqhcLLZsrcgJIqq',
      sequences: '0uDQVLuHaOZi1u76LjV__yrVUIz9Bwhr',
      sorted_sequences: 'KgWo6TT1Lqw6vgkXU9sYtCU9xwXoDt6M',
      name_length_pairs: 'm88geMfgGBZ7VpYgQKCB4P9z-mhKJ-nj',
      sorted_name_length_pairs: '1FQEGOQQ-m0NmZ0R-eeJEfnH1ayqJQ0T',
    },
  },
  differentOrder: {
    name: 'different_order',
    members: [GGAA('chr1'), GCGC('chr2'), LONG('chrX')],
    digest: 'Tpdsg75D4GKCGEHtIiDSL9Zx-DSuX5V8',
    level1: {
      lengths: 'x5qpE4FtMkvlwpKIzvHs3a02Nex5tthp',
      names: 'dOAOfPGkf3wAf3CUsbjVTKhY9Wq2DL6f',
      sequences: '7t6Ulz6OeUWu6FBxntbvFKOl8w3icl2h',
      sorted_sequences: 'KgWo6TT1Lqw6vgkXU9sYtCU9xwXoDt6M',
      name_length_pairs: 'a6JbVltjGqj5fEr01M0qjqCmlLLQ_P7N',
      sorted_name_length_pairs: 'zjM1Ie9m0zFbqsAnZ6jAJSXuFpKTr40J',
    },
  },
  pairSwap: {
    name: 'pair_swap',
    members: [LONG('chr2'), GGAA('chr1'), GCGC('chrX')],
    digest: 'UNGAdNDmBbQbHihecPPFxwTydTcdFKxL',
    level1: {
      lengths: 'cGRMZIb3AVgkcAfNv39RN7hnT5Chk7RX',
      names: 'gSWbV6khfIsnlQTyw1PmlQ8G7VRfIWbU',
      sequences: '0uDQVLuHaOZi1u76LjV__yrVUIz9Bwhr',
      sorted_sequences: 'KgWo6TT1Lqw6vgkXU9sYtCU9xwXoDt6M',
      name_length_pairs: 'yjUFKuKCURANxHar4JDF5ABOn6FJ-T8m',
      sorted_name_length_pairs: 'rL5OQOnFba8yyz7lS-0-hgZvwcQsiajN',
    },
  },
  subset: {
    name: 'subset',
    members: [LONG('chrX'), GGAA('chr1')],
    digest: 'sv7GIP1K0qcskIKF3iaBmQpaum21vH74',
    level1: {
      lengths: '7-_HdxYiRf-AJLBKOTaJUdxXrUkIXs6T',
      names: 'iyNUhtfR0TALytlmxK1Zx1_q3frkZyAd',
      sequences: '3ZP38SZcoc9wN7jsRyNSP9mQ1a3TUoUF',
      sorted_sequences: 'p5sNbnAUithQJ3oxrBL3YXTNig08SNKB',
      name_length_pairs: 'b_TLfweI2gfClgj57gcTFtEOMJ_daWd4',
      sorted_name_length_pairs: 'AvGYsdgtJpTLKYil3eLddJxwrE5OfKhE',
    },
  },
  swapWithoutCoordinates: {
    name: 'swap_wo_coords',
    members: [LONG('chrX'), GGAA('chr2'), GCGC('chr1')],
    digest: 'aVzHaGFlUDUNF2IEmNdzS_A8lCY0stQH',
    level1: {
      lengths: 'cGRMZIb3AVgkcAfNv39RN7hnT5Chk7RX',
      names: 'QX5ur-faw5nXis8HXUK2kMxgY5MTGVRn',
      sequences: '0uDQVLuHaOZi1u76LjV__yrVUIz9Bwhr',
      sorted_sequences: 'KgWo6TT1Lqw6vgkXU9sYtCU9xwXoDt6M',
      name_length_pairs: 'suXpFjcxpyUDOkBgNEakNEXtLlyxtjJr',
      sorted_name_length_pairs: 'zjM1Ie9m0zFbqsAnZ6jAJSXuFpKTr40J',
    },
  },
} as const satisfies Record<string, PublishedCollection>;

/** The examples of the specification (sequence collections 1.0.0, §2, and its how-to on digests). */
export const SPECIFIED: readonly PublishedCollection[] = [
  {
    name: 'the example of the encoding',
    members: [
      member('SQ.2YnepKM7OkBoOrKmvHbGqguVfF9amCST', 248_956_422)('chr1'),
      member('SQ.lwDyBi432Py-7xnAISyQlnlhWDEaBPv2', 242_193_529)('chr2'),
      member('SQ.Eqk6_SvMMDCc6C-uEfickOUWTatLMDQZ', 198_295_559)('chr3'),
    ],
    digest: 'sjNNwm4zov3Dl0FRWbRTcZwzqrTQKIqL',
    level1: {
      lengths: '5K4odB173rjao1Cnbk5BnvLt9V7aPAa2',
      names: 'g04lKdxiYtG3dOGeUC5AdKEifw65G0Wp',
      sequences: 'rD29ZKmEqwwHRXjiQ36p6UMZQ5hemmsb',
    },
  },
  {
    name: 'the example of the levels',
    members: [
      member('SQ.OL3sVAcd_5IZaDxUkH-yQkLmBz2iwY0s', 1216)('A'),
      member('SQ.kny8cdhEEPHXoNlXmps8NQapGtUKZlM9', 970)('B'),
      member('SQ.DA-GLdXVihnYKs-fBS5MMgqMi7tVMJbt', 1788)('C'),
    ],
    digest: 'Zjx9_tD2o-1yKB6RR2v2g3W9c5ufydUc',
    level1: {
      lengths: 'QWhPI-Cll_0Y5NJ_2krRryuV97vzhbgJ',
      names: '1zOnTYE5slcISev72o62ySxbssEXeoUL',
      sequences: 'uPCc00rq-daL3zPnzYH-sBg9_z7HpB8B',
    },
  },
  {
    name: 'the example of the how-to',
    members: [
      member('SQ.2648ae1bacce4ec4b6cf337dcae37816', 248_956_422)('chr1'),
      member('SQ.907112d17fcb73bcab1ed1c72b97ce68', 133_797_422)('chr2'),
      member('SQ.1511375dc2dd1b633af8cf439ae90cec', 135_086_622)('chr3'),
    ],
    digest: 'KxZO6qIbVNCIKtQj0WR3fwzg2rsJLlC3',
    level1: { names: 'g04lKdxiYtG3dOGeUC5AdKEifw65G0Wp' },
  },
];

const ATTRIBUTES = ['lengths', 'name_length_pairs', 'names', 'sequences', 'sorted_sequences'];

type Row = readonly [other: PublishedCollection, counts: readonly number[], order: readonly (boolean | null)[]];

// Shared elements and their order, by attribute, of `base` and another collection.
const ROWS: readonly Row[] = [
  [COMPLIANCE.subset, [2, 2, 2, 2, 2], [null, true, true, true, true]],
  [COMPLIANCE.differentNames, [3, 0, 0, 3, 3], [true, null, null, true, true]],
  [COMPLIANCE.differentOrder, [3, 3, 3, 3, 3], [false, false, false, false, true]],
  // The specification says null for the order of the single shared pair.
  [COMPLIANCE.pairSwap, [3, 1, 3, 3, 3], [true, true, false, true, true]],
  [COMPLIANCE.swapWithoutCoordinates, [3, 3, 3, 3, 3], [true, false, false, true, true]],
];

/** The comparisons that the compliance tests expect, under the rules of the reference implementation. */
export const COMPARISONS: readonly (readonly [other: PublishedCollection, expected: CollectionComparison])[] = ROWS.map(
  ([other, counts, order]) => [
    other,
    {
      digests: { a: COMPLIANCE.base.digest, b: other.digest },
      attributes: { a_only: [], b_only: [], a_and_b: ATTRIBUTES },
      array_elements: {
        a_count: byAttribute(() => COMPLIANCE.base.members.length),
        b_count: byAttribute(() => other.members.length),
        a_and_b_count: byAttribute((index) => counts[index] ?? -1),
        a_and_b_same_order: byAttribute((index) => order[index] ?? null),
      },
    },
  ],
);

function byAttribute<T>(toValue: (index: number) => T): Record<string, T> {
  return Object.fromEntries(ATTRIBUTES.map((name, index) => [name, toValue(index)]));
}
