import type { S3CredentialsProvider } from './credentials.js';

/** The part of `@aws-sdk/credential-providers` that is used. Its own types would make every program need the package. */
interface ProviderPackage {
  readonly fromNodeProviderChain: () => S3CredentialsProvider;
}

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
  load?: () => Promise<ProviderPackage>,
): Promise<S3CredentialsProvider> {
  try {
    // Bundlers fail if the package is not installed, unless this is ignored (webpack, Turbopack) or in a try block (esbuild).
    const { fromNodeProviderChain } = await (load?.() ??
      import(/* webpackIgnore: true */ '@aws-sdk/credential-providers'));
    return fromNodeProviderChain();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const message = 'the default credential chain needs an optional package: npm install @aws-sdk/credential-providers';
    throw new Error(message, { cause });
  }
}
