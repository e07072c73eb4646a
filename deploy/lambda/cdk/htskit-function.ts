import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  FunctionUrlAuthType,
  InvokeMode,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

export interface HtskitFunctionProps {
  /** The path of `htskit-lambda.zip`. */
  readonly zip: string;
  readonly bucket: IBucket;
  /** Serves only the keys that begin with this prefix, which ends with a slash. Ids do not include it. Default: all keys. */
  readonly prefix?: string;
  /** The text of an `htskit.yaml`, or its path in the zip, in place of the bucket. Default: the bucket is served. */
  readonly config?: string;
  /** The URL at which clients reach the function. Default: the function URL. */
  readonly publicUrl?: string;
  /** Megabytes. A function of 1769 MB, the default, has one processor. */
  readonly memorySize?: number;
}

/** Genomic files of a bucket over htsget, refget and DRS, behind a function URL that streams responses. */
export class HtskitFunction extends Construct {
  readonly function: LambdaFunction;
  /** The URL of the service. */
  readonly url: string;

  constructor(
    scope: Construct,
    id: string,
    { zip, bucket, prefix = '', config = '', publicUrl = '', memorySize = 1769 }: HtskitFunctionProps,
  ) {
    super(scope, id);
    const signingKey = new Secret(this, 'SigningKey', {
      description: 'The key of block URLs, which all instances of the function share',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    this.function = new LambdaFunction(this, 'Function', {
      code: Code.fromAsset(zip),
      handler: 'streamed.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize,
      // A block of 50 MB takes half a minute at the 2 MB/s of a streamed response.
      timeout: Duration.minutes(5),
      environment: {
        HTSKIT_BUCKET: `${bucket.bucketName}/${prefix}`,
        HTSKIT_CONFIG: config,
        // A reference that CloudFormation resolves: the template does not have the key.
        HTSKIT_KEY: `utf8:${signingKey.secretValue.unsafeUnwrap()}`,
        HTSKIT_PUBLIC_URL: publicUrl,
      },
    });
    const objects = { actions: ['s3:GetObject'], resources: [bucket.arnForObjects(`${prefix}*`)] };
    // Without it, S3 answers 403 for an object that does not exist.
    const listing = { actions: ['s3:ListBucket'], resources: [bucket.bucketArn] };
    for (const each of [objects, listing]) this.function.addToRolePolicy(new PolicyStatement(each));
    this.url = this.function.addFunctionUrl({
      authType: FunctionUrlAuthType.NONE,
      invokeMode: InvokeMode.RESPONSE_STREAM,
    }).url;
  }
}
