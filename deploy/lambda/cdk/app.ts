// npx cdk deploy --app "npx tsx deploy/lambda/cdk/app.ts" --context bucket=NAME
import { fileURLToPath } from 'node:url';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { HtskitFunction } from './htskit-function.js';

const app = new App();
const stack = new Stack(app, 'Htskit', { description: 'Genomic files of a bucket over htsget, refget and DRS' });
const bucket = Bucket.fromBucketName(stack, 'Bucket', String(app.node.tryGetContext('bucket') ?? 'genomes'));
const zip = fileURLToPath(new URL('../dist/htskit-lambda.zip', import.meta.url));
const { url } = new HtskitFunction(stack, 'Service', { zip, bucket });
new CfnOutput(stack, 'Url', { value: url });
