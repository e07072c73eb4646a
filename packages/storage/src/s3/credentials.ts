export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** Gives the credentials of now; called for each request, so it keeps those that it has asked for. */
export type S3CredentialsProvider = () => S3Credentials | Promise<S3Credentials>;
