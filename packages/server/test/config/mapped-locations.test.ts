import { expect, test } from 'vitest';
import { ConfigError } from '../../src/config/config-error.js';
import { parseConfig } from '../../src/config/parse-config.js';
import { type ConfiguredOptions, toServeOptions } from '../../src/config/serve-options.js';

const environment = { BUCKET: 'cohort', study: 'a variable of the same name' };

function parse(entry: string): ReturnType<typeof parseConfig> {
  return parseConfig(`htsget:\n  locations:\n    - ${entry}`, { file: 'htskit.yaml', environment });
}

async function configure(entry: string): Promise<ConfiguredOptions> {
  const { config } = parse(entry);
  return toServeOptions({ config, file: '/etc/htskit/htskit.yaml', flags: { paths: [] }, environment });
}

/** Returns the faults of an entry, without the places in the file. */
function faultsOf(entry: string): string[] {
  try {
    parse(entry);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ path, message }) => `${path.replace('htsget.locations[0].', '')}: ${message}`);
  }
}

test.each([
  [
    `{ match: "(?<study>[^/]+)/(?P<sample>.+)", location: "s3://\${BUCKET}/\${study}/\${sample}-\${id}.bam", prefix: p }`,
    {
      kind: 'rule',
      match: '(?<study>[^/]+)/(?P<sample>.+)',
      location: `s3://cohort/\${study}/\${sample}-\${id}.bam`,
      folder: '/etc/htskit',
      prefix: 'p',
    },
  ],
  ['{ ids: ids.tsv, format: CRAM }', { kind: 'table', path: '/etc/htskit/ids.tsv', format: 'CRAM' }],
  [
    '{ resolver: "https://host/{id}", data: $.url, size: $.size, index: $.index, forward: [authorization], hosts: [a.example] }',
    {
      kind: 'resolver',
      url: 'https://host/{id}',
      data: '$.url',
      size: '$.size',
      index: '$.index',
      forward: ['authorization'],
      hosts: ['a.example'],
    },
  ],
  [
    '{ id: a, location: drs://host/1, index: drs://host/2, networks: [10.0.0.0/8] }',
    { kind: 'drs', id: 'a', location: 'drs://host/1', index: 'drs://host/2', networks: ['10.0.0.0/8'] },
  ],
  [
    '{ location: sda+https://archive.example/api, prefix: ega }',
    { kind: 'sda', url: 'https://archive.example/api', prefix: 'ega' },
  ],
])('%s is not a folder of files', async (entry, location) => {
  const { mappedLocations, objectLocations } = await configure(entry);
  expect(mappedLocations).toEqual([expect.objectContaining(location)]);
  expect(objectLocations).toEqual([]);
});

test('variables outside of a rule are those of the environment', async () => {
  const { objectLocations } = await configure(`{ location: "s3://\${BUCKET}/x" }`);
  expect(objectLocations).toEqual([{ location: { kind: 's3', bucket: 'cohort', key: 'x' } }]);
  expect(faultsOf(`{ location: "s3://\${other}/x" }`)).toEqual([': the environment variable other is not set']);
  expect(faultsOf(`{ match: "(?<a>.)", location: "x/\${b}" }`)).toEqual([': the environment variable b is not set']);
});

test.each([
  ['{ match: "." }', 'match: expected a location, too'],
  [`{ match: "(", location: "x/\${id}" }`, 'location: "(" is not a regular expression of RE2'],
  [`{ match: ".", location: "https://\${id}/x.bam" }`, 'location: expected a template with names in its path only'],
  [
    `{ match: ".", location: "gs://b/\${id}.bam" }`,
    'location: expected a path, s3://BUCKET/PREFIX, or an http or https URL',
  ],
  [
    `{ match: ".", location: "x/\${id}.bam", index: y }`,
    'index: the index of a file in a folder or bucket is found beside it',
  ],
  [`{ match: ".", location: "x/\${id}.bam", delivery: presigned }`, 'delivery: does not apply to a rule'],
  ['{ ids: a, location: b }', 'location: expected one of location, ids and resolver'],
  ['{ ids: a, data: $.a }', 'data: does not apply to a table'],
  [
    '{ resolver: "https://host/x", data: $.a }',
    'resolver: expected a URL of http or https with {id} in its path or query',
  ],
  [
    '{ resolver: "https://{id}.host/", data: $.a }',
    'resolver: expected a URL of http or https with {id} in its path or query',
  ],
  ['{ resolver: "https://host/{id}" }', 'data: a resolver needs a query of the URL of the data'],
  ['{ resolver: "https://host/{id}", data: a }', 'data: "a" is not a query of JSONPath (RFC 9535)'],
  ['{ location: drs://host/1 }', 'location: an object of a DRS server needs an id here'],
  ['{ id: a, location: "drs://prefix:1" }', 'location: expected drs://HOST/ID'],
  ['{ id: a, location: drs://host/1, index: a.bai }', 'index: expected drs://HOST/ID'],
  ['{ id: service-info, location: drs://host/1 }', 'id: service-info is reserved by the protocol'],
  ['{ location: "sda+https://u:p@host" }', 'location: expected sda+https://HOST'],
  ['{ location: "sda+https://host", forward: [authorization] }', 'forward: does not apply to an archive'],
  ['{ location: data, hosts: [a.example] }', 'hosts: does not apply to files; see match, ids, resolver and drs://'],
  ['{ ids: a, networks: [10.0.0.0/99] }', 'networks[0]: expected a network, such as 10.0.0.0/8'],
])('%s has the fault %s', (entry, fault) => {
  expect(faultsOf(entry)).toEqual([fault]);
});
