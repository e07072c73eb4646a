import type { FetchServerOptions } from '../runtime/fetch-server.js';
import type { ParseConfigOptions } from './parse-config.js';

/** The options of `openFetchServer` that a configuration has. */
export type ConfiguredFetchOptions = Omit<FetchServerOptions, 'log' | 'publicUrl'> &
  Partial<Pick<FetchServerOptions, 'publicUrl'>>;

/**
 * Reads the options of `openFetchServer` from the text of an `htskit.yaml`. Settings of the socket, of processes and of observation
 * have no effect, and there is no web page. Throws ConfigError if the text is invalid or requires audit records, and the same
 * errors as `createAuthorization` for files that it names.
 *
 * @example
 * const text = 'htsget: { locations: [{ location: "s3://genomes" }] }';
 * const options = await readFetchOptions(text, { file: 'htskit.yaml', environment: process.env });
 * const server = await openFetchServer({ ...options, publicUrl: 'https://data.example.org', log: console.error });
 */
export async function readFetchOptions(
  text: string,
  { file, environment }: ParseConfigOptions,
): Promise<ConfiguredFetchOptions> {
  // The schema and its libraries are half of the code: a server that needs no configuration starts without them.
  const [{ ConfigError }, { parseConfig }, { toServeOptions }] = await Promise.all([
    import('./config-error.js'),
    import('./parse-config.js'),
    import('./serve-options.js'),
  ]);
  const parsed = parseConfig(text, { file, environment });
  const { config } = parsed;
  if (config.audit !== undefined) {
    throw new ConfigError(file, [parsed.fault(['audit'], 'audit records are written by htskit serve only')]);
  }
  const options = await toServeOptions({ config, file, flags: { paths: [] }, environment });
  return { ...options, page: false };
}
