import { changeHeaders, changeJson, changeText, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';
import { isMetadata, isServiceInfo } from './requests.js';
import { WITH_MD5_ONLY } from './services.js';

type Document = Record<string, unknown>;

/** Returns a document with another value at a path with dots. Undefined removes the member. */
export function withMember(document: Document, path: string, value: unknown): Document {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...document, [name]: value };
  return { ...document, [name]: withMember((document[name] ?? {}) as Document, rest.join('.'), value) };
}

/** A member of service-info, and a value that it must not have. */
type WrongMember = readonly [rule: string, path: string, value: unknown];

/** The wrong members of any service-info. */
export const WRONG_MEMBERS: readonly WrongMember[] = [
  ['id', 'id', undefined],
  ['name', 'name', ''],
  ['type-group', 'type.group', undefined],
  ['type-artifact', 'type.artifact', undefined],
  ['type-version', 'type.version', 2],
  ['organization-name', 'organization.name', undefined],
  ['organization-url', 'organization.url', 'not a URL'],
  ['version', 'version', undefined],
  ['contact-url', 'contactUrl', 'not a URL'],
  ['documentation-url', 'documentationUrl', 'not a URL'],
  ['created-at', 'createdAt', 'yesterday'],
  ['updated-at', 'updatedAt', '2024-01-01'],
];

const WRONG_REFGET_MEMBERS: readonly WrongMember[] = [
  ...WRONG_MEMBERS,
  ['artifact', 'type.artifact', 'refget-sequence'],
  ['protocol-version', 'type.version', '1.0.0'],
  ['circular-supported', 'refget.circular_supported', 'yes'],
  ['algorithms', 'refget.algorithms', 'md5'],
  ['md5', 'refget.algorithms', ['ga4gh']],
  ['ga4gh', 'refget.algorithms', ['md5']],
  ['identifier-types', 'refget.identifier_types', undefined],
  ['subsequence-limit', 'refget.subsequence_limit', '10'],
];

const SERVICE_INFO_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'refget.service-info.document',
    fault: 'answers 404 for service-info',
    break: withStatus(404, isServiceInfo),
  },
  ...WRONG_REFGET_MEMBERS.map(
    ([rule, path, value]): Mutation => ({
      rule: `refget.service-info.${rule}`,
      fault: `has ${JSON.stringify(value)} as ${path}`,
      break: changeJson(isServiceInfo, (document) => withMember(document, path, value)),
    }),
  ),
];

/** Changes the member `metadata` of the answers to requests by MD5. */
function changeMetadata(change: (metadata: Document) => Document): Mutation['break'] {
  return changeJson(isMetadata, (document) => ({ metadata: change(document['metadata'] as Document) }));
}

const METADATA_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'refget.metadata.document',
    fault: 'sends metadata without a container',
    break: changeJson(isMetadata, ({ metadata }) => metadata),
  },
  {
    rule: 'refget.metadata.md5',
    fault: 'has the MD5 of other bases',
    break: changeMetadata((metadata) => ({ ...metadata, md5: '0'.repeat(32) })),
  },
  {
    rule: 'refget.metadata.ga4gh',
    fault: 'has an SQ. digest with its namespace',
    break: changeMetadata((metadata) => ({ ...metadata, ga4gh: `ga4gh:${String(metadata['ga4gh'])}` })),
  },
  {
    rule: 'refget.metadata.trunc512',
    fault: 'lacks the TRUNC512 that it announces',
    break: changeMetadata((metadata) => withMember(metadata, 'trunc512', undefined)),
  },
  {
    rule: 'refget.metadata.ga4gh-null',
    fault: 'lacks the member ga4gh',
    break: changeMetadata((metadata) => withMember(metadata, 'ga4gh', undefined)),
    service: WITH_MD5_ONLY,
  },
  {
    rule: 'refget.metadata.length',
    fault: 'has the length as a string',
    break: changeMetadata((metadata) => ({ ...metadata, length: String(metadata['length']) })),
  },
  {
    rule: 'refget.metadata.aliases',
    fault: 'has no aliases',
    break: changeMetadata((metadata) => withMember(metadata, 'aliases', undefined)),
  },
  {
    rule: 'refget.metadata.alias-members',
    fault: 'has aliases as strings',
    break: changeMetadata((metadata) => ({ ...metadata, aliases: ['chr1'] })),
  },
  {
    rule: 'refget.metadata.alias-case',
    fault: 'has a naming authority in upper case',
    break: changeMetadata((metadata) => ({ ...metadata, aliases: [{ alias: 'X.1', naming_authority: 'INSDC' }] })),
  },
  {
    rule: 'refget.metadata.same-for-all-ids',
    fault: 'has no aliases if the SQ. digest is requested',
    break: changeJson(
      (url, request) => isMetadata(url, request) && url.pathname.includes('/SQ.'),
      ({ metadata }) => ({ metadata: { ...(metadata as Document), aliases: [] } }),
    ),
  },
];

const CONTENT_TYPE_MUTATIONS: readonly Mutation[] = [
  ...(
    [
      ['metadata', isMetadata],
      ['service-info', isServiceInfo],
    ] as const
  ).flatMap(([name, matches]): readonly Mutation[] => [
    {
      rule: `refget.content-type.${name}`,
      fault: `sends ${name} as application/json`,
      break: changeHeaders(matches, (headers) => headers.set('content-type', 'application/json; charset=us-ascii')),
    },
    {
      rule: `refget.content-type.${name}-charset`,
      fault: `sends ${name} without a charset`,
      break: changeHeaders(matches, (headers) =>
        headers.set('content-type', 'application/vnd.ga4gh.refget.v2.0.0+json'),
      ),
    },
    {
      rule: `refget.content-type.${name}-ascii`,
      fault: `sends ${name} as UTF-8`,
      break: changeText(matches, (text) => text.replace('{', '{"é":1,')),
    },
  ]),
  {
    rule: 'refget.content-type.error',
    fault: 'sends an error without a Content-Type',
    break: changeHeaders(isUnknown, (headers) => headers.delete('content-type')),
  },
  {
    rule: 'refget.content-type.error-not-plain',
    fault: 'sends an error as text/plain',
    break: changeHeaders(isUnknown, (headers) => headers.set('content-type', 'text/plain')),
  },
];

function isUnknown({ pathname }: URL): boolean {
  return pathname.includes('ffffffff');
}

export const DOCUMENT_MUTATIONS: readonly Mutation[] = [
  ...SERVICE_INFO_MUTATIONS,
  ...METADATA_MUTATIONS,
  ...CONTENT_TYPE_MUTATIONS,
];
