import type { S3Credentials } from './credentials.js';

/**
 * Returns the credentials in AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN. Throws an Error that names a
 * missing variable. The function is itself a provider: `{ credentials: credentialsFromEnvironment }`.
 *
 * @example
 * const source = s3Source({ bucket: 'cohort', key: 'reads.bam', credentials: credentialsFromEnvironment });
 */
export function credentialsFromEnvironment(): S3Credentials {
  return {
    accessKeyId: readVariable('AWS_ACCESS_KEY_ID'),
    secretAccessKey: readVariable('AWS_SECRET_ACCESS_KEY'),
    sessionToken: process.env['AWS_SESSION_TOKEN'] || undefined,
  };
}

function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`the environment variable ${name} is not set`);
  return value;
}
