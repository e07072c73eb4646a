import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DEFAULT_AUTHORITY } from '@htskit/protocol';
import { type ConfiguredFetchOptions, parseSigningKey, readFetchOptions } from '@htskit/server/fetch';
import { credentialsFromEnvironment } from '@htskit/storage/s3/environment';
import { RESPONSE_LIMITS, type ResponseMode } from './response-mode.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of a function, of which the block URLs are signed by a key that all its instances have. */
export interface FunctionSettings extends ConfiguredFetchOptions {
  readonly signingKeys: NonNullable<ConfiguredFetchOptions['signingKeys']>;
}

/**
 * Reads the settings of a function from its environment: `HTSKIT_CONFIG`, the text of an `htskit.yaml` or the path of one, or
 * else `HTSKIT_BUCKET`. Throws RangeError if neither is set or there is no signing key, and the same errors as `readFetchOptions`.
 */
export async function readSettings(environment: Environment, mode: ResponseMode): Promise<FunctionSettings> {
  const { HTSKIT_CONFIG: config = '', HTSKIT_PUBLIC_URL: url = '' } = environment;
  const configured = config === '' ? bucketOptions(environment, mode) : await readConfig(config, environment);
  const { signingKeys, publicUrl = url, ...options } = configured;
  if (signingKeys === undefined) {
    throw new RangeError('set HTSKIT_KEY, or auth.signingKeys of the configuration: instances must share a key');
  }
  return {
    ...options,
    signingKeys,
    ...(publicUrl !== '' && { publicUrl }),
    htsget: { ...options.htsget, limits: limitBlocks(options, mode) },
  };
}

/** A value that is a path rather than the text of a configuration. */
const PATH = /^[^\n:]+\.(?:ya?ml|json)$/;

async function readConfig(config: string, environment: Environment): Promise<ConfiguredFetchOptions> {
  const { LAMBDA_TASK_ROOT: folder = '.' } = environment;
  const isPath = PATH.test(config);
  // Paths in the configuration are relative to its folder.
  const file = resolve(folder, isPath ? config : 'HTSKIT_CONFIG');
  return readFetchOptions(isPath ? await readFile(file, 'utf8') : config, { file, environment });
}

/** Returns the options for a bucket in the region of the function. A configuration takes more time to start. */
function bucketOptions(
  { HTSKIT_BUCKET, HTSKIT_KEY = '', AWS_REGION, AWS_ENDPOINT_URL_S3: endpoint, AWS_ACCESS_KEY_ID }: Environment,
  mode: ResponseMode,
): ConfiguredFetchOptions {
  const [, bucket, key = ''] = /^([^/]+)\/?(.*?)\/?$/.exec(HTSKIT_BUCKET ?? '') ?? [];
  if (bucket === undefined) throw new RangeError('set HTSKIT_BUCKET, or HTSKIT_CONFIG');
  const signingKey = parseSigningKey(HTSKIT_KEY);
  if (signingKey === undefined && HTSKIT_KEY !== '') {
    throw new RangeError('HTSKIT_KEY: expected base64:…, hex:… or utf8:… of at least 16 bytes');
  }
  return {
    paths: [],
    objectLocations: [
      { location: { kind: 's3', bucket, key }, ...(mode === 'buffered' && { delivery: 'presigned' as const }) },
    ],
    authority: DEFAULT_AUTHORITY,
    s3: {
      ...(AWS_REGION !== undefined && { region: AWS_REGION }),
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(AWS_ACCESS_KEY_ID !== undefined && { credentials: credentialsFromEnvironment }),
    },
    ...(signingKey !== undefined && { signingKeys: [signingKey] as const }),
  };
}

/** Returns limits under which a block fits into a response. Blocks that the bucket sends may have any length. */
function limitBlocks({ htsget, objectLocations = [] }: ConfiguredFetchOptions, mode: ResponseMode): object {
  const { limits } = htsget ?? {};
  const { blockBytes, convertedBytes } = RESPONSE_LIMITS[mode];
  const isPresigned = objectLocations.every(({ delivery }) => delivery === 'presigned');
  return {
    ...limits,
    ...(!isPresigned && { blockBytes: Math.min(blockBytes, limits?.blockBytes ?? blockBytes) }),
    convertedBytes: Math.min(convertedBytes, limits?.convertedBytes ?? convertedBytes),
  };
}
