import { parseLocation } from '@htskit/catalogue/internal';
import type { ObjectStore } from '@htskit/io';
import { folderStore } from '@htskit/storage/folder';
import { type S3CredentialsProvider, type S3Options, s3ObjectStore } from '@htskit/storage/s3';
import { credentialsFromEnvironment } from '@htskit/storage/s3/environment';
import { credentialsFromProviderChain } from '@htskit/storage/s3/provider-chain';

/**
 * Returns the object store in a folder or, for `s3://BUCKET/PREFIX`, in a bucket, as `s3FromEnvironment` reaches it. Throws
 * RangeError for other locations.
 */
export function toObjectStore(text: string, environment: NodeJS.ProcessEnv = process.env): ObjectStore {
  const location = parseLocation(text, '.');
  if (location.kind === 'path') return folderStore(location.path);
  if (location.kind === 'http') throw new RangeError(`"${text}" is not a folder or s3://BUCKET/PREFIX`);
  const prefix = location.key === '' ? '' : `${location.key}/`;
  return s3ObjectStore({ ...s3FromEnvironment(environment), bucket: location.bucket, prefix });
}

/**
 * Returns the region, endpoint and credentials of all buckets, from the environment variables of the AWS tools. Variables that
 * name a profile or a role use the default credential chain of AWS.
 */
export function s3FromEnvironment(environment: NodeJS.ProcessEnv = process.env): Omit<S3Options, 'bucket'> {
  const { AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = environment;
  const endpoint = AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL;
  return {
    region: AWS_REGION ?? AWS_DEFAULT_REGION,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    credentials:
      CHAIN_VARIABLES.some((name) => isSet(environment[name])) && !isSet(environment['AWS_ACCESS_KEY_ID'])
        ? chainCredentials()
        : credentialsFromEnvironment,
  };
}

/** The variables that select a profile, a web identity or the credentials of a container. */
const CHAIN_VARIABLES = [
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
];

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

/** Loads the chain when credentials are needed. */
function chainCredentials(): S3CredentialsProvider {
  let chain: Promise<S3CredentialsProvider> | undefined;
  return async (request) => {
    chain ??= credentialsFromProviderChain();
    return (await chain)(request);
  };
}
