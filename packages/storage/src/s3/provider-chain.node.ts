import type { S3CredentialsProvider } from './credentials.js';

const loadPackage = (): Promise<typeof import('@aws-sdk/credential-providers')> =>
  import('@aws-sdk/credential-providers');

/**
 * Returns the default credential chain of AWS: environment variables, profiles and single sign-on, web identities (IRSA),
 * container credentials (ECS, EKS Pod Identity) and EC2 instance metadata. It needs the optional package
 * `@aws-sdk/credential-providers`, which is loaded only by this call. Throws Error with its name if it is not installed.
 *
 * @example
 * const credentials = await credentialsFromProviderChain();
 * const source = s3Source({ bucket: 'cohort', key: 'reads.bam', credentials });
 */
export async function credentialsFromProviderChain(
  load: typeof loadPackage = loadPackage,
): Promise<S3CredentialsProvider> {
  try {
    const { fromNodeProviderChain } = await load();
    return fromNodeProviderChain();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const message = 'the default credential chain needs an optional package: npm install @aws-sdk/credential-providers';
    throw new Error(message, { cause });
  }
}
