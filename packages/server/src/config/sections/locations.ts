import {
  checkQuery,
  checkResolverUrl,
  fileNameOf,
  IdRule,
  isNetwork,
  isPlainPath,
  objectKindOf,
  parseDrsUri,
  parseLocation,
} from '@htskit/catalogue/internal';
import { z } from 'zod';
import { locationText, toLocation, toMessage } from './location-text.js';
import { host } from './stores.js';

const OBJECT_FILES = '*.bam, *.cram, *.vcf.gz, *.vcf.bgz or *.bcf';
const ARCHIVE = /^sda\+https?:\/\//i;

const idText = z.string().refine(isPlainPath, 'expected names separated by "/", none of them empty, "." or ".."');

const objectKeys = z.strictObject({
  location: z
    .string()
    .optional()
    .describe(
      'A folder, a file, s3://bucket/prefix, the URL of a file, drs://HOST/ID of an object of a DRS server, or sda+https://HOST of ' +
        `a NeIC Sensitive Data Archive. With match: a template, in whose path \${NAME} is the group of that name, and \${id} the id.`,
    ),
  match: z
    .string()
    .min(1)
    .optional()
    .describe('A regular expression of RE2 that matches whole ids, whose named groups the location contains.'),
  ids: z
    .string()
    .min(1)
    .optional()
    .describe('A file with an id, a location and perhaps the location of the index in each line, separated by tabs.'),
  resolver: z
    .string()
    .optional()
    .describe('The URL of a service that answers with a JSON document for each id, which replaces {id}.'),
  data: z.string().optional().describe('A query of JSONPath (RFC 9535) of the URL of the data in that document.'),
  size: z.string().optional().describe('A query of the size of the data in bytes. Default: the size is not compared.'),
  prefix: idText.optional().describe('A prefix of the ids, which is followed by a slash.'),
  id: idText.optional().describe('The id of a single file. Default: its name without the extension.'),
  index: z
    .string()
    .optional()
    .describe(
      'The index of a single file: its location, with match a template of it, with resolver a query of its URL. Default: found ' +
        'beside the data.',
    ),
  format: z
    .enum(['BAM', 'CRAM', 'VCF', 'BCF'])
    .optional()
    .describe('The format of all data of a rule, a table, a resolver or a DRS server. Default: by the names of files.'),
  delivery: z
    .enum(['proxied', 'presigned'])
    .optional()
    .describe('Whether blocks come from this server (proxied, the default) or from the bucket by presigned URLs.'),
  forward: z
    .array(z.enum(['authorization']))
    .optional()
    .describe(
      'The headers of requests that are sent on to the resolver or DRS server, and to no other host. Default: none.',
    ),
  hosts: z
    .array(host)
    .optional()
    .describe('Further hosts that a resolver or DRS server may name for data. Default: its own host only.'),
  networks: z
    .array(z.string().refine(isNetwork, 'expected a network, such as 10.0.0.0/8'))
    .optional()
    .describe('Private networks that the names of these hosts may lead to. Default: public addresses only.'),
});

/** A location of htsget objects in the configuration. */
export type ObjectSection = z.infer<typeof objectKeys>;

type Fault = readonly [key: keyof ObjectSection, message: string];

export const objectSection: z.ZodType<ObjectSection> = objectKeys.superRefine((section, context) => {
  for (const [key, message] of findFaults(section)) context.addIssue({ code: 'custom', path: [key], message });
});

/** Whether the location of a section is that of an archive. */
export function isArchive({ location = '' }: Pick<ObjectSection, 'location'>): boolean {
  return ARCHIVE.test(location);
}

/** The keys that each kind of section has besides the first ones, which are required. */
const KEYS: Readonly<Record<string, readonly (keyof ObjectSection)[]>> = {
  match: ['location', 'index', 'prefix', 'format', 'forward', 'hosts', 'networks'],
  ids: ['prefix', 'format', 'forward', 'hosts', 'networks'],
  resolver: ['data', 'index', 'size', 'prefix', 'format', 'forward', 'hosts', 'networks'],
  drs: ['location', 'id', 'index', 'prefix', 'format', 'forward', 'hosts', 'networks'],
  sda: ['location', 'prefix'],
  location: ['prefix', 'id', 'index', 'delivery'],
};

/** Yields the contradictions between valid values: the key and the message. */
function* findFaults(section: ObjectSection): Generator<Fault, void> {
  const { location, match, ids, resolver } = section;
  const main = match ?? location;
  if ([main, ids, resolver].filter((value) => value !== undefined).length !== 1) {
    yield ['location', 'expected one of location, ids and resolver'];
    return;
  }
  const kind = kindOf(section);
  for (const key of Object.keys(section) as (keyof ObjectSection)[]) {
    if (section[key] !== undefined && key !== kind && KEYS[kind]?.includes(key) === false) {
      yield [key, `does not apply to ${NAMES[kind]}`];
    }
  }
  if (kind === 'match') yield* findRuleFaults(section);
  if (kind === 'resolver') yield* findResolverFaults(section);
  if (kind === 'drs') yield* findDrsFaults(section);
  if (kind === 'sda' && !isArchiveUrl(location ?? '')) yield ['location', 'expected sda+https://HOST'];
  if (kind === 'location') yield* findFileFaults(section);
}

const NAMES: Readonly<Record<string, string>> = {
  match: 'a rule',
  ids: 'a table',
  resolver: 'a resolver',
  drs: 'an object of a DRS server',
  sda: 'an archive',
  location: 'files; see match, ids, resolver and drs://',
};

function kindOf({ location = '', match, ids, resolver }: ObjectSection): string {
  if (match !== undefined) return 'match';
  if (ids !== undefined) return 'ids';
  if (resolver !== undefined) return 'resolver';
  if (location.toLowerCase().startsWith('drs:')) return 'drs';
  return isArchive({ location }) ? 'sda' : 'location';
}

function isArchiveUrl(location: string): boolean {
  const text = location.slice('sda+'.length);
  if (!URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === '';
}

function* findRuleFaults({ match = '', location, index }: ObjectSection): Generator<Fault, void> {
  if (location === undefined) yield ['match', 'expected a location, too'];
  for (const [key, template] of [
    ['location', location],
    ['index', index],
  ] as const) {
    try {
      if (template !== undefined) checkRule(match, template);
    } catch (error) {
      yield [key, toMessage(error)];
    }
  }
  if (index !== undefined && /^(?:https?|drs):/i.test(location ?? '') === false) {
    yield ['index', 'the index of a file in a folder or bucket is found beside it'];
  }
}

/** Throws RangeError for an invalid expression or template. */
function checkRule(match: string, template: string): void {
  const { root } = new IdRule({ match, template });
  if (/^drs:/i.test(template)) {
    if (parseDrsUri(`${root}x`) === undefined) throw new RangeError('expected drs://HOST/ID');
  } else parseLocation(root === '' ? '.' : root, '/');
}

function* findResolverFaults({ resolver = '', data, index, size }: ObjectSection): Generator<Fault, void> {
  if (data === undefined) yield ['data', 'a resolver needs a query of the URL of the data'];
  try {
    checkResolverUrl(resolver);
  } catch (error) {
    yield ['resolver', toMessage(error)];
  }
  for (const [key, query] of [
    ['data', data],
    ['index', index],
    ['size', size],
  ] as const) {
    try {
      if (query !== undefined) checkQuery(query);
    } catch (error) {
      yield [key, toMessage(error)];
    }
  }
}

function* findDrsFaults({ location = '', id, index }: ObjectSection): Generator<Fault, void> {
  if (parseDrsUri(location) === undefined) yield ['location', 'expected drs://HOST/ID'];
  if (index !== undefined && parseDrsUri(index) === undefined) yield ['index', 'expected drs://HOST/ID'];
  if (id === undefined) yield ['location', 'an object of a DRS server needs an id here'];
  if (id === 'service-info') yield ['id', 'service-info is reserved by the protocol'];
}

function* findFileFaults(section: ObjectSection): Generator<Fault, void> {
  for (const key of ['location', 'index'] as const) {
    const { success, error } = locationText.optional().safeParse(section[key]);
    if (!success) yield [key, error.issues.map(({ message }) => message).join('; ')];
  }
  const location = toLocation(section.location ?? '');
  if (location === undefined) return;
  const kind = objectKindOf(fileNameOf(location));
  const isFile = kind !== undefined;
  if (location.kind === 'http' && !isFile) yield ['location', `expected the URL of ${OBJECT_FILES}`];
  for (const key of ['id', 'index'] as const) {
    if (section[key] !== undefined && !isFile) yield [key, `only applies to a single file: ${OBJECT_FILES}`];
  }
  if (section.id === 'service-info') yield ['id', 'service-info is reserved by the protocol'];
  if (section.id !== undefined && section.prefix !== undefined) yield ['prefix', 'cannot be combined with id'];
  if (section.delivery === 'presigned' && location.kind !== 's3') {
    yield ['delivery', 'presigned delivery requires a location in a bucket'];
  }
  if (section.delivery === 'presigned' && kind?.isEncrypted === true) {
    yield ['delivery', 'an encrypted file is sent by this server, which decrypts it'];
  }
}
