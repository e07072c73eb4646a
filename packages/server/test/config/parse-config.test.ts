import { excessGrowth, mutations, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import { ConfigError } from '../../src/config/config-error.js';
import { parseConfig } from '../../src/config/parse-config.js';
import type { Config } from '../../src/config/schema.js';

const environment = {
  PORT: '9000',
  HOST: 'a.example',
  SECRET: 'hunter2',
  YES: 'true',
  EMPTY: '',
  BROKEN: '[ ] x: y: *z',
};

function parse(...lines: readonly string[]): Config {
  return parseConfig(lines.join('\n'), { file: 'htskit.yaml', environment }).config;
}

/** The lines of the message, without the name of the file. */
function faultsOf(...lines: readonly string[]): string[] {
  let message = '';
  try {
    parse(...lines);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    message = error.message;
  }
  return message.split('\n').map((line) => line.replace(/^htskit\.yaml:/, ''));
}

const example = [
  'listen: { host: 127.0.0.1, port: 8080, tls: { cert: cert.pem, key: key.pem } }',
  'publicUrl: https://data.example.org',
  'authority: ga4gh',
  'service: { id: org.example.htskit, name: A, organization: { name: B, url: https://b.example }, environment: test }',
  'htsget:',
  '  locations:',
  '    - { location: ./data }',
  '    - { prefix: trio, location: s3://bucket/trio, delivery: presigned }',
  '    - { id: NA12878, location: ./NA12878.bam, index: ./elsewhere.bai }',
  '  precision: auto',
  '  maxBlockBytes: 1000000000',
  '  truncated: warn',
  'refget:',
  '  circularSupported: true',
  '  subsequenceLimit: 0',
  '  rangeOutOfBounds: 400',
  '  ambiguousIdentifier: 300',
  '  comparisonRules: specification',
  '  characters: letters',
  '  cache: ./sequence-cache',
  '  sources:',
  '    - { location: ./genome.fa.gz, namingAuthority: insdc, circular: [chrM], aliases: ./aliases.tsv }',
  '    - { location: s3://bucket/refget-store }',
  's3: { endpoint: https://s3.example, region: us-east-1, forcePathStyle: true }',
  'auth: { jwt: { jwksUrl: https://id.example/jwks, issuer: https://id.example, audience: htskit }, public: [reads/demo/**] }',
  'cors: { origins: "*" }',
  'limits: { postBodyBytes: 1048576, regions: 1000, blocks: 10000, concurrency: 256, blockUrlSeconds: 3600 }',
];

test('reads every key of the example', () => {
  const config = parse(...example);
  expect(Object.keys(config)).toHaveLength(10);
  expect(config.htsget?.locations?.[1]).toEqual({
    prefix: 'trio',
    location: 's3://bucket/trio',
    delivery: 'presigned',
  });
  expect(config.limits).toMatchObject({ concurrency: 256, blockUrlSeconds: 3600 });
});

test('accepts the times of a service with a time zone', () => {
  const service = { createdAt: '2026-01-31T12:00:00Z', updatedAt: '2026-02-01T00:00:00.5+02:00' };
  expect(parse(`service: ${JSON.stringify(service)}`)).toEqual({ service });
  expect(parse(`service: { createdAt: ${service.createdAt} }`).service?.createdAt).toBe(service.createdAt);
});

test.each([[''], ['# nothing'], ['---'], ['{}']])('accepts the empty configuration %j', (text) => {
  expect(parse(text)).toEqual({});
});

test.each<[readonly string[], string]>([
  [['listen:', '  prot: 80'], '2:3: listen.prot: unknown key; did you mean "port"?'],
  [['LISTEN: {}'], '1:1: LISTEN: unknown key; did you mean "listen"?'],
  [
    ['refget:', '  sources:', '    - location: a.fa', '      aliasses: b'],
    '4:7: refget.sources[0].aliasses: unknown key; did you mean "aliases"?',
  ],
  [['limits: { region: 5 }'], '1:11: limits.region: unknown key; did you mean "regions"?'],
  [['listen: { tls: { cert: a, key: b, keys: c } }'], '1:35: listen.tls.keys: unknown key; did you mean "key"?'],
  [['"__proto__": 1'], '1:1: __proto__: unknown key; did you mean "listen"?'],
  [['listen:', '  port: eighty'], '2:9: listen.port: expected a number, found text'],
  [['listen:', '  port: 80.5'], '2:9: listen.port: expected a whole number, found a number'],
  [['listen: { port: 65536 }'], '1:17: listen.port: expected 65535 or less'],
  [['listen: { host: "" }'], '1:17: listen.host: must not be empty'],
  [['listen:'], '1:8: listen: expected a map of keys, found nothing'],
  [['- listen'], '1:1: expected a map of keys, found a list'],
  [['authority: iso'], '1:12: authority: expected ga4gh or std'],
  [
    ['publicUrl: https://a.example/?q=1'],
    '1:12: publicUrl: a public URL must not have credentials, a query or a fragment',
  ],
  [['service:', '  organization: { name: A }'], '2:17: service.organization.url: required key is missing'],
  [
    ['service: { createdAt: yesterday }'],
    '1:23: service.createdAt: expected a date and time of ISO 8601 with a time zone, such as 2026-01-31T12:00:00Z',
  ],
  [
    ['service: { updatedAt: 2026-01-01 }'],
    '1:23: service.updatedAt: expected a date and time of ISO 8601 with a time zone, such as 2026-01-31T12:00:00Z',
  ],
  [
    ['service: { createdAt: 2026-02-30T00:00:00Z }'],
    '1:23: service.createdAt: expected a date and time of ISO 8601 with a time zone, such as 2026-01-31T12:00:00Z',
  ],
  [
    ['service: { updatedAt: 2026-01-01T00:00:00 }'],
    '1:23: service.updatedAt: expected a date and time of ISO 8601 with a time zone, such as 2026-01-31T12:00:00Z',
  ],
  [
    ['service: { createdAt: "2026-01-01 00:00:00Z" }'],
    '1:23: service.createdAt: expected a date and time of ISO 8601 with a time zone, such as 2026-01-31T12:00:00Z',
  ],
  [['htsget: { truncated: serve }'], '1:22: htsget.truncated: expected warn or refuse'],
  [['htsget: { precision: best }'], '1:22: htsget.precision: expected auto or chunks or exact'],
  [['htsget: { locations: { location: a } }'], '1:22: htsget.locations: expected a list, found a map of keys'],
  [
    ['htsget:', '  locations:', '    - prefix: a'],
    '3:7: htsget.locations[0].location: expected one of location, ids and resolver',
  ],
  [
    ['htsget:', '  locations:', '    - location: gs://a/b'],
    '3:17: htsget.locations[0].location: expected a path, s3://BUCKET/PREFIX, or an http or https URL',
  ],
  [
    ['htsget:', '  locations: [{ location: s3:// }]'],
    '2:27: htsget.locations[0].location: expected s3://BUCKET/PREFIX',
  ],
  [
    ['htsget:', '  locations: [{ location: s3://b/a/../c }]'],
    '2:27: htsget.locations[0].location: expected s3://BUCKET/PREFIX',
  ],
  [
    ['htsget:', '  locations: [{ location: https://u:p@a.example/a.bam }]'],
    '2:27: htsget.locations[0].location: expected a URL without a user name, password or fragment',
  ],
  [
    ['htsget:', '  locations: [{ location: https://a.example/ }]'],
    '2:27: htsget.locations[0].location: expected the URL of *.bam, *.cram, *.vcf.gz, *.vcf.bgz or *.bcf',
  ],
  [
    ['htsget:', '  locations: [{ location: a, id: b }]'],
    '2:34: htsget.locations[0].id: only applies to a single file: *.bam, *.cram, *.vcf.gz, *.vcf.bgz or *.bcf',
  ],
  [
    ['htsget:', '  locations: [{ location: s3://b/c, index: d }]'],
    '2:44: htsget.locations[0].index: only applies to a single file: *.bam, *.cram, *.vcf.gz, *.vcf.bgz or *.bcf',
  ],
  [
    ['htsget:', '  locations: [{ location: a.bam, id: service-info }]'],
    '2:38: htsget.locations[0].id: service-info is reserved by the protocol',
  ],
  [
    ['htsget:', '  locations: [{ location: a.bam, id: b, prefix: c }]'],
    '2:49: htsget.locations[0].prefix: cannot be combined with id',
  ],
  [
    ['htsget:', '  locations: [{ location: a, prefix: /c }]'],
    '2:38: htsget.locations[0].prefix: expected names separated by "/", none of them empty, "." or ".."',
  ],
  [
    ['htsget:', '  locations: [{ location: ./a, delivery: presigned }]'],
    '2:42: htsget.locations[0].delivery: presigned delivery requires a location in a bucket',
  ],
  [['refget: { rangeOutOfBounds: 404 }'], '1:29: refget.rangeOutOfBounds: expected 400 or 416'],
  [['refget: { circularSupported: yes }'], '1:30: refget.circularSupported: expected true or false, found text'],
  [
    ['refget:', '  sources: [{ location: https://a.example/a.fa }]'],
    '2:25: refget.sources[0].location: expected a path or s3://BUCKET/PREFIX',
  ],
  [
    ['refget:', '  sources: [{ location: s3://a/b, circular: [c] }]'],
    '2:45: refget.sources[0].circular: does not apply to a store; htskit refget import sets it',
  ],
  [
    ['refget:', '  sources: [{ location: a, namingAuthority: md5 }]'],
    '2:45: refget.sources[0].namingAuthority: a naming authority consists of letters, digits, "_", "." and "-", and is not the namespace of a digest',
  ],
  [['s3: { endpoint: minio }'], '1:17: s3.endpoint: expected an http or https URL without credentials'],
  [
    ['cors: { origins: https://a.example }'],
    '1:18: cors.origins: expected "*" or a list of origins, such as https://a.example',
  ],
  [['limits: { blocks: -1 }'], '1:19: limits.blocks: expected 1 or more'],
  [['limits: { blockUrlSeconds: 604801 }'], '1:28: limits.blockUrlSeconds: expected 604800 or less'],
  [
    ['auth: { public: [reads/**] }'],
    '1:17: auth.public: requires jwt or passports: without them, everything is public',
  ],
  [['listen: {', '  port: 1', '  port: 2'], '2:9: Implicit keys need to be on a single line'],
  [['a: 1', 'a: 2'], '2:1: Map keys must be unique'],
  [['listen:', '\tport: 1'], '2:1: Tabs are not allowed as indentation'],
  [['a: 1', '---', 'b: 2'], '2:1: expected the end of the file, found another document'],
  [[`listen: { port: \${PORT} }`], '1:18: a value that begins with ${ inside of braces must be quoted'],
  [[`publicUrl: https://\${NOWHERE}/`], '1:12: the environment variable NOWHERE is not set'],
  [[`publicUrl: "\${HOST"`], `1:12: expected NAME} after "\${"; for a literal "\${" write "$\${"`],
  [['listen: *a'], '1:9: expected the alias of a text, a number, true or false'],
])('%j: %s', (lines, fault) => {
  const faults = faultsOf(...lines);
  expect(faults).toEqual([fault]);
});

test('reports all faults in the order of the file', () => {
  const lines = ['cors: { origin: 1 }', 'listen: { port: x, hots: y }', 'what: 1', `authority: \${SECRET}`];
  expect(faultsOf(...lines).map((line) => line.split(' ', 1)[0])).toEqual(['1:9:', '2:17:', '2:20:', '3:1:', '4:12:']);
});

test('never repeats a value, which may be a secret', () => {
  const lines = [
    `authority: \${SECRET}`,
    `publicUrl: \${SECRET}`,
    `listen: { port: "\${SECRET}", host: 5 }`,
    `cors: { origins: ["\${SECRET}"] }`,
    `htsget: { locations: [{ location: "x://\${SECRET}", delivery: "\${SECRET}" }] }`,
    `refget: { sources: [{ location: a, namingAuthority: "\${SECRET}:" }] }`,
    `auth: { signingKeys: ["\${SECRET}"] }`,
  ];
  const faults = faultsOf(...lines);
  expect(faults).toHaveLength(8);
  expect(faults.filter((fault) => fault.includes('hunter2'))).toEqual([]);
});

test('expands variables only in values', () => {
  const config = parse(
    `publicUrl: https://\${HOST}:\${PORT}/a`,
    `service: { name: "a$\${HOST}$HOST $$ \${EMPTY}" } # \${NOWHERE}`,
    `listen: { host: "\${HOST}" }`,
  );
  expect(config).toEqual({
    publicUrl: 'https://a.example:9000/a',
    service: { name: `a\${HOST}$HOST $$ ` },
    listen: { host: 'a.example' },
  });
});

test('parses a variable as the expected type', () => {
  const config = parse(
    'listen:',
    `  port: \${PORT}`,
    `  host: \${PORT}`,
    `s3: { forcePathStyle: "\${YES}" }`,
    `service: { name: "\${YES}" }`,
  );
  expect(config).toEqual({
    listen: { port: 9000, host: '9000' },
    s3: { forcePathStyle: true },
    service: { name: 'true' },
  });
  for (const name of ['BROKEN', 'EMPTY', 'SECRET', 'YES']) {
    expect(faultsOf(`listen: { port: "\${${name}}" }`)).toEqual(['1:17: listen.port: expected a number, found text']);
  }
  expect(faultsOf('listen: { port: "9000" }')).toEqual(['1:17: listen.port: expected a number, found text']);
});

test('resolves an alias to the value of its anchor', () => {
  expect(parse('service: { name: &name A, description: *name }').service).toEqual({ name: 'A', description: 'A' });
});

test('reports a place for every fault of a damaged text', () => {
  const places: number[] = [];
  for (const { bytes } of mutations(new TextEncoder().encode(example.join('\n')), { seed: 1, count: volume(500) })) {
    try {
      parse(new TextDecoder().decode(bytes));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      places.push(...error.faults.map(({ line, column }) => Math.min(line, column)));
    }
  }
  expect(places.length).toBeGreaterThan(volume(100));
  expect(Math.min(...places)).toBeGreaterThan(0);
});

test('the time for unknown keys grows in proportion to their number', () => {
  const withUnknownKeys = (count: number): string => Array.from({ length: count }, (_, i) => `key${i}: 1`).join('\n');
  const refuse = (text: string): void => expect(() => parse(text)).toThrow('unknown key');
  expect(excessGrowth(withUnknownKeys, refuse, { size: 500 })).toBeLessThan(8);
});
