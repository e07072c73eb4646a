import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileSource } from '@htskit/storage/file';
import { readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { checkConfig } from '../../src/commands/config/check-config.js';
import { formatReport } from '../../src/commands/config/config-command.js';
import { ConfigError } from '../../src/config/config-error.js';
import { parseConfig } from '../../src/config/parse-config.js';
import { type ConfiguredOptions, toServeOptions } from '../../src/config/serve-options.js';
import { createEncryptedFolder, createFolder, createKeyFile } from '../encrypted/encrypted-files.js';

async function configure(
  folder: string,
  lines: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ConfiguredOptions> {
  const file = join(folder, 'htskit.yaml');
  const { config } = parseConfig(lines.join('\n'), { file, environment });
  return toServeOptions({ config, file, flags: { paths: [] }, environment });
}

/** Returns whether the keys of a configuration open a file. */
async function opens({ decrypt }: ConfiguredOptions, path: string): Promise<boolean> {
  const source = decrypt?.(fileSource(path));
  const size = await source?.stat().then(
    (stat) => stat.size,
    () => undefined,
  );
  await source?.close?.();
  return size === readFixture('reads.bam').length;
}

test('keys come from files beside the configuration and from the environment, with passphrases', async () => {
  const folder = await createEncryptedFolder();
  const place = createFolder();
  const plain = await createKeyFile(place, 'plain.sec');
  const secret = await createKeyFile(place, 'protected.sec', 'correct horse');
  const environment = { KEY: folder.key.text, PASSPHRASE: 'correct horse' };
  const options = await configure(
    place,
    [
      'crypt4gh:',
      '  keys:',
      '    - { file: plain.sec }',
      `    - { file: protected.sec, passphrase: "\${PASSPHRASE}" }`,
      `    - { key: "\${KEY}" }`,
    ],
    environment,
  );
  for (const { publicKey } of [plain, secret, folder.key]) {
    expect(await opens(options, await folder.add('reads.bam', undefined, [publicKey]))).toBe(true);
  }
  const other = await createKeyFile(place, 'other.sec');
  expect(await opens(options, await folder.add('reads.bam', undefined, [other.publicKey]))).toBe(false);
});

test('without keys nothing is decrypted, and plain delivery is off unless it is on', async () => {
  const folder = createFolder();
  expect(await configure(folder, [])).toMatchObject({ decrypt: undefined, htsget: { plainDelivery: false } });
  const on = await configure(folder, ['crypt4gh: { plainDelivery: on }']);
  expect(on.htsget?.plainDelivery).toBe(true);
});

test.each([
  ['both a file and a key', 'keys: [{ file: a, key: b }]', /expected either file or key/],
  ['neither', 'keys: [{ passphrase: b }]', /expected either file or key/],
  ['no key', 'keys: []', /must not be empty/],
  ['another word', 'plainDelivery: maybe', /expected on or off/],
])('%s is an error', async (_, section, message) => {
  const failure = await configure(createFolder(), [`crypt4gh: { ${section} }`]).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConfigError);
  expect(String(failure)).toMatch(message);
});

test('a single encrypted file cannot be presigned', async () => {
  const line = 'htsget: { locations: [{ location: s3://b/a.bam.c4gh, delivery: presigned }] }';
  await expect(configure(createFolder(), [line])).rejects.toThrow(/sent by this server/);
});

test('a key that cannot be read is an error with its place, and without its content', async () => {
  const folder = createFolder();
  const { path } = await createKeyFile(folder, 'protected.sec', 'correct horse');
  writeFileSync(join(folder, 'other.sec'), 'hunter2');
  for (const [key, message] of [
    ['file: missing.sec', /crypt4gh\.keys\[0\]: .*missing\.sec: no such file/],
    [`file: ${basename(path)}`, /crypt4gh\.keys\[0\]: .*passphrase/],
    [`file: ${basename(path)}, passphrase: "\${WORD}"`, /crypt4gh\.keys\[0\]: .*passphrase/],
    ['file: other.sec', /crypt4gh\.keys\[0\]: /],
    [`key: "\${WORD}"`, /crypt4gh\.keys\[0\]: /],
  ] as const) {
    const failure = await configure(folder, [`crypt4gh: { keys: [{ ${key} }] }`], { WORD: 'hunter2' }).catch(String);
    expect(failure).toMatch(message);
    expect(failure).not.toContain('hunter2');
  }
});

test('config check reads the keys, and tries them on the files', async () => {
  const folder = await createEncryptedFolder();
  const other = await createKeyFile(folder.path, 'other.sec');
  await folder.add('reads.bam');
  await folder.add('reads.bam.bai');
  await folder.add('variants.bcf', undefined, [other.publicKey]);
  folder.addPlain('variants.bcf.csi');
  const file = join(folder.path, 'htskit.yaml');
  const check = async (keys: string): Promise<string> => {
    const text = `crypt4gh: { keys: [${keys}] }\nhtsget: { locations: [{ location: . }] }`;
    return formatReport(await checkConfig({ file, text, environment: {} })).join('\n');
  };
  const report = await check(`{ file: ${folder.key.path} }`);
  expect(report).toMatch(/2 files\n {2}variants \(BCF\): .*key/);
  expect(report).not.toMatch(/reads|without an index/);
  const wrong = await check('{ file: missing.sec }');
  expect(wrong).toMatch(/htskit\.yaml:1:\d+: crypt4gh\.keys: .*missing\.sec/);
  expect(wrong).toMatch(/has 1 problem$/);
});
