import type { S3Credentials } from './credentials.js';

/**
 * The credentials that the environment has now, in AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN. Throws
 * an Error that names the variable that is missing. It is a provider itself: `{ credentials: credentialsFromEnvironment }`.
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
  if (value === undefined || value === '') throw new Error(`the environment has no ${name}`);
  return value;
}
