import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigError } from '../../src/config/config-error.js';
import { parseConfig } from '../../src/config/parse-config.js';
import { toServeOptions } from '../../src/config/serve-options.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const reference = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
const [, example = ''] = /```yaml\n(.*?)```/s.exec(reference) ?? [];
const environment = { S3_HOST: 's3.example.org' };

test('loads the example of the README', () => {
  const [, short = ''] = /\n## Configuration\n.*?```yaml\n(.*?)```/s.exec(readme) ?? [];
  const { config } = parseConfig(short, { file: 'htskit.yaml', environment });
  expect(Object.keys(config)).toEqual([...short.matchAll(/^(\w+):/gm)].map(([, key]) => key));
  expect(config.htsget?.locations).toHaveLength(2);
});

test('loads the configuration of the page for users of htsget-rs', () => {
  const page = readFileSync(new URL('../../../../docs/from-htsget-rs.md', import.meta.url), 'utf8');
  const [, after = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
  const { config } = parseConfig(after, { file: 'htskit.yaml', environment });
  const [, before = ''] = /```toml\n(.*?)```/s.exec(page) ?? [];
  const prefixes = Array.from(before.matchAll(/prefix = "(\w+)"/g), ([, prefix]) => prefix);
  expect(config.htsget?.locations?.map(({ prefix }) => prefix)).toEqual(prefixes);
  expect(config.auth?.jwt?.issuer).toBe(/validate_issuer = \["(.+)"\]/.exec(before)?.[1]);
});

test('loads the example of the reference and uses every key of it', async () => {
  const { config } = parseConfig(example, { file: '/etc/htskit/htskit.yaml', environment });
  const keys = [...example.matchAll(/^(\w+):/gm)].map(([, key]) => key);
  expect(keys.length).toBeGreaterThan(8);
  expect(Object.keys(config)).toEqual(keys);
  const options = await toServeOptions({ config, file: '/etc/htskit/htskit.yaml', flags: { paths: [] }, environment });
  expect(options.s3).toMatchObject({ endpoint: 'https://s3.example.org', credentials: undefined });
  expect(options.objectLocations?.map(({ location }) => location)).toEqual([
    { kind: 'path', path: '/etc/htskit/data' },
    { kind: 's3', bucket: 'bucket', key: 'trio' },
    { kind: 'path', path: '/etc/htskit/NA12878.bam' },
    { kind: 'http', url: 'https://files.example.org/HG00100.cram' },
  ]);
  expect(options.sequenceLocations?.[0]?.aliases).toBe('/etc/htskit/aliases.tsv');
});

test('prints the fault as the reference shows it', () => {
  const shown = /^htskit\.yaml:5:9: .*$/m.exec(reference)?.[0];
  const text = 'listen: {}\nauthority: ga4gh\nhtsget:\n  locations:\n    - { prefx: trio, location: data }\n';
  let message = '';
  try {
    parseConfig(text, { file: 'htskit.yaml', environment });
  } catch (error) {
    message = error instanceof ConfigError ? error.message : '';
  }
  expect(message).not.toBe('');
  expect(message).toBe(shown);
});
