import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ConfiguredFetchOptions, readFetchOptions } from '@htskit/server/fetch';
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
  const { HTSKIT_PUBLIC_URL: url = '', LAMBDA_TASK_ROOT: folder = '.' } = environment;
  const { file, text } = await findConfig(environment, { folder, mode });
  const { signingKeys, publicUrl = url, ...options } = await readFetchOptions(text, { file, environment });
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

interface ConfigText {
  /** The path to which others are relative. */
  readonly file: string;
  readonly text: string;
}

async function findConfig(
  environment: Environment,
  { folder, mode }: { readonly folder: string; readonly mode: ResponseMode },
): Promise<ConfigText> {
  const { HTSKIT_CONFIG: config = '' } = environment;
  if (PATH.test(config)) {
    const file = resolve(folder, config);
    return { file, text: await readFile(file, 'utf8') };
  }
  const text = config === '' ? bucketConfig(environment, mode) : config;
  return { file: resolve(folder, 'HTSKIT_CONFIG'), text };
}

/** Returns the configuration of a bucket, whose region is that of the function. */
function bucketConfig(
  { HTSKIT_BUCKET: bucket = '', HTSKIT_KEY: key = '', AWS_REGION: region, AWS_ENDPOINT_URL_S3: endpoint }: Environment,
  mode: ResponseMode,
): string {
  if (bucket === '') throw new RangeError('set HTSKIT_BUCKET, or HTSKIT_CONFIG');
  const delivery = mode === 'buffered' ? 'presigned' : undefined;
  return JSON.stringify({
    htsget: { locations: [{ location: `s3://${bucket}`, delivery }] },
    s3: { region, ...(endpoint !== undefined && { endpoint, forcePathStyle: true }) },
    auth: key === '' ? undefined : { signingKeys: [key] },
  });
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
