// Checks deploy/lambda as its README has it: the zip, and the stack of CDK.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../runtimes/command.mjs';
import { installPackages } from '../../runtimes/runtime-install.mjs';
import { runSession } from '../examples/session.mjs';

const TIMEOUT_SECONDS = 120;

/** Runs the commands of the README, and synthesizes the stack from what they build. Returns the number of resources. */
export async function checkLambda(root) {
  await runSession(join(root, 'deploy/lambda'), process.env);
  const { Resources: resources } = await synthesize(root);
  const typed = (type) => Object.values(resources).filter(({ Type }) => Type === type);
  const [{ Properties: url } = {}] = typed('AWS::Lambda::Url');
  const [{ Properties: policy } = {}] = typed('AWS::IAM::Policy');
  const actions = policy?.PolicyDocument.Statement.flatMap(({ Action }) => Action) ?? [];
  if (url?.InvokeMode !== 'RESPONSE_STREAM') throw new Error('the function URL does not stream');
  if (actions.join() !== 's3:GetObject,s3:ListBucket') throw new Error(`the role may do ${actions.join()}`);
  if (typed('AWS::SecretsManager::Secret').length !== 1) throw new Error('there is no secret with the key');
  return Object.keys(resources).length;
}

/** Checks the types of the CDK app in a copy, runs it, and returns the template of its stack. */
async function synthesize(root) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'deploy/lambda/cdk/package.json'), 'utf8'));
  const { dependencies: own } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const versions = { ...dependencies, '@types/node': own['@types/node'] };
  const specs = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  const installed = join(root, '.cache/cdk', specs.join('+').replaceAll(/[^\w.@+-]/g, '_'));
  if (!existsSync(installed)) await installPackages(specs, installed);
  // Node and the compiler look for packages in the folder above.
  const copy = mkdtempSync(join(installed, 'run-'));
  try {
    for (const path of ['tsconfig.base.json', 'deploy/lambda/cdk', 'deploy/lambda/dist/htskit-lambda.zip']) {
      cpSync(join(root, path), join(copy, path), { recursive: true });
    }
    const app = join(copy, 'deploy/lambda/cdk');
    const options = {
      cwd: app,
      env: { ...process.env, CDK_OUTDIR: join(copy, 'out') },
      timeoutSeconds: TIMEOUT_SECONDS,
    };
    await runCommand(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', app], options);
    await runCommand(process.execPath, ['app.js'], options);
    return JSON.parse(readFileSync(join(copy, 'out/Htskit.template.json'), 'utf8'));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
