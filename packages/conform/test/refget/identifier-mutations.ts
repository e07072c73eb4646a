import { withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';
import type { HeadFilter } from './requests.js';

/** The paths of the ids of each form. */
const FORMS: Readonly<Record<string, RegExp>> = {
  md5: /^\/sequence\/(?=.*[a-f])[0-9a-f]{32}$/,
  'md5-upper-case': /^\/sequence\/(?=.*[A-F])[0-9A-F]{32}$/,
  'md5-namespace': /^\/sequence\/md5:/,
  ga4gh: /^\/sequence\/SQ\./,
  'ga4gh-namespace': /^\/sequence\/ga4gh:/,
  trunc512: /^\/sequence\/(?=.*[a-f])[0-9a-f]{48}$/,
  'trunc512-upper-case': /^\/sequence\/(?=.*[A-F])[0-9A-F]{48}$/,
  'trunc512-namespace': /^\/sequence\/trunc512:/,
  name: /^\/sequence\/insdc:/,
};

const FORM_MUTATIONS = Object.entries(FORMS).flatMap(([name, pattern]): readonly Mutation[] => [
  {
    rule: `refget.identifiers.${name}`,
    fault: 'answers 404 for such an id',
    break: withStatus(404, ({ pathname, search }) => pattern.test(pathname) && search !== ''),
  },
  {
    rule: `refget.identifiers.${name}-metadata`,
    fault: 'answers 404 for the metadata of such an id',
    break: withStatus(
      404,
      ({ pathname }) => pathname.endsWith('/metadata') && pattern.test(pathname.slice(0, -'/metadata'.length)),
    ),
  },
]);

const UNKNOWN_IDS: Readonly<Record<string, string>> = {
  md5: 'f'.repeat(32),
  ga4gh: `SQ.${'_'.repeat(32)}`,
  trunc512: 'f'.repeat(48),
  name: 'insdc:htskit-conform-no-such-name',
  malformed: 'htskit-conform-no-such-id',
};

const UNKNOWN_MUTATIONS = Object.entries(UNKNOWN_IDS).flatMap(([name, id]): readonly Mutation[] => [
  {
    rule: `refget.identifiers.unknown-${name}`,
    fault: 'answers 400 for such an id',
    break: withStatus(400, ({ pathname }) => pathname === `/sequence/${id}`),
  },
  {
    rule: `refget.identifiers.unknown-${name}-metadata`,
    fault: 'answers 200 for the metadata of such an id',
    break: withStatus(200, ({ pathname }) => pathname === `/sequence/${id}/metadata`),
  },
]);

const isFirstBase: HeadFilter = ({ search }) => search === '?start=0&end=1';

export const IDENTIFIER_MUTATIONS: readonly Mutation[] = [
  ...FORM_MUTATIONS,
  ...UNKNOWN_MUTATIONS,
  {
    rule: 'refget.identifiers.ga4gh-letter-case',
    fault: 'finds an SQ. digest in another letter case',
    break: withStatus(200, (url, request) => url.pathname.startsWith('/sequence/SQ.') && isFirstBase(url, request)),
  },
  {
    rule: 'refget.identifiers.other-namespace',
    fault: 'finds an MD5 in the namespace trunc512',
    break: withStatus(200, ({ pathname }) => /^\/sequence\/trunc512:[0-9a-f]{32}$/.test(pathname)),
  },
];
