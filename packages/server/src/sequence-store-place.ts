import type { ObjectStore } from '@htskit/io';
import { folderStore } from '@htskit/storage/folder';
import { s3ObjectStore } from '@htskit/storage/s3';
import { credentialsFromEnvironment } from '@htskit/storage/s3/environment';
import { parseLocation } from './locations/location.js';

/**
 * The store in a folder or, as s3://BUCKET/PREFIX, in a bucket, of which the environment tells what it tells AWS's own tools:
 * region, endpoint and credentials. Throws RangeError for a place that is neither.
 */
export function openStorePlace(text: string, environment: NodeJS.ProcessEnv = process.env): ObjectStore {
  const location = parseLocation(text, '.');
  if (location.kind === 'path') return folderStore(location.path);
  if (location.kind === 'http') throw new RangeError('a store is a folder, or s3://BUCKET/PREFIX');
  const { AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = environment;
  const endpoint = AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL;
  return s3ObjectStore({
    bucket: location.bucket,
    prefix: location.key === '' ? '' : `${location.key}/`,
    region: AWS_REGION ?? AWS_DEFAULT_REGION,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    credentials: credentialsFromEnvironment,
  });
}
