import { toHono } from '@htskit/adapters/hono';
import { bucketObjects } from '@htskit/catalogue';
import { createHtsgetHandler } from '@htskit/htsget';
import { credentialsFromEnvironment } from '@htskit/storage/s3/environment';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';

const { AWS_REGION, BUCKET = '', PUBLIC_URL = '', S3_ENDPOINT, SIGNING_KEY = '' } = process.env;

/** With presigned delivery, clients fetch the data from the bucket: the function only answers with tickets. */
const { resolve } = bucketObjects({
  bucket: BUCKET,
  region: AWS_REGION,
  credentials: credentialsFromEnvironment,
  delivery: 'presigned',
  ...(S3_ENDPOINT && { endpoint: S3_ENDPOINT, forcePathStyle: true }),
});
const htsget = createHtsgetHandler({
  publicUrl: PUBLIC_URL,
  signingKeys: [new TextEncoder().encode(SIGNING_KEY)],
  resolve,
});

export const handler = handle(new Hono().all('*', toHono(htsget)));
