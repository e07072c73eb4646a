import type { FetchServerOptions } from '../runtime/fetch-server.js';
import { ConfigError } from './config-error.js';
import { type ParseConfigOptions, parseConfig } from './parse-config.js';
import { toServeOptions } from './serve-options.js';

/**
 * Reads the options of `openFetchServer` from the text of an `htskit.yaml`. Settings of the socket, of processes and of observation
 * have no effect, and there is no web page. Throws ConfigError if the text is invalid, has no `publicUrl`, or requires audit
 * records, and the same errors as `createAuthorization` for files that it names.
 *
 * @example
 * const text = 'publicUrl: https://data.example.org\nhtsget: { locations: [{ location: "s3://genomes" }] }';
 * const options = await readFetchOptions(text, { file: 'htskit.yaml', environment: process.env });
 * const server = await openFetchServer({ ...options, log: console.error });
 */
export async function readFetchOptions(
  text: string,
  { file, environment }: ParseConfigOptions,
): Promise<Omit<FetchServerOptions, 'log'>> {
  const { config, fault } = parseConfig(text, { file, environment });
  const { publicUrl, audit } = config;
  if (publicUrl === undefined) throw new ConfigError(file, [fault(['publicUrl'], 'required key is missing')]);
  if (audit !== undefined) {
    throw new ConfigError(file, [fault(['audit'], 'audit records are written by htskit serve only')]);
  }
  const options = await toServeOptions({ config, file, flags: { paths: [] }, environment });
  return { ...options, publicUrl, page: false };
}
