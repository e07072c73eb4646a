// htsget-lambda of htsget-rs, if it is installed with the feature `aws`: the peer of deploy/lambda.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { noteNotMeasured } from '../not-measured.mjs';
import { BUCKET } from './file-bucket.mjs';

const given = process.env.HTSGET_LAMBDA;
const command = given === undefined ? 'htsget-lambda' : resolve(given);

/** It reads the index for each ticket. */
const TICKETS = 8;

/**
 * Returns the name of htsget-lambda and the options with which it is started over the bucket at an endpoint, or undefined if it
 * is not installed. Its configuration is written to the folder.
 */
export function htsgetLambda(folder, endpoint) {
  const { status } = spawnSync(command, ['--version'], { stdio: 'ignore' });
  if (status !== 0) {
    if (given !== undefined) throw new Error('HTSGET_LAMBDA is not the path of htsget-lambda');
    noteNotMeasured('htsget-lambda', 'on PATH, or its path in HTSGET_LAMBDA');
    return undefined;
  }
  const config = join(folder, 'htsget-lambda.toml');
  writeFileSync(
    config,
    `[[locations]]
regex = ".*"
substitution_string = "$0"
backend.kind = "S3"
backend.bucket = "${BUCKET}"
backend.endpoint = "${endpoint}"
backend.path_style = true
`,
  );
  return { name: 'htsget-lambda', bootstrap: command, environment: { HTSGET_CONFIG: config }, tickets: TICKETS };
}
