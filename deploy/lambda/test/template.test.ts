import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, type ScalarTag } from 'yaml';

interface Template {
  readonly Parameters: Readonly<Record<string, { readonly Default?: string }>>;
  readonly Resources: {
    readonly SigningKey: { readonly Type: string };
    readonly Function: { readonly Type: string; readonly Properties: FunctionProperties };
  };
}

interface FunctionProperties {
  readonly CodeUri: string;
  readonly Handler: string;
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> };
  readonly Policies: readonly [{ readonly Statement: readonly object[] }];
  readonly FunctionUrlConfig: object;
}

const text = readFileSync(new URL('../template.yaml', import.meta.url), 'utf8');
/** The short forms of functions of CloudFormation, as they are written. */
const customTags = ['!Ref', '!Sub', '!GetAtt'].map(
  (tag): ScalarTag => ({ tag, resolve: (value) => `${tag} ${value}` }),
);
const { Parameters, Resources } = parse(text, { customTags }) as Template;
const { Properties } = Resources.Function;

test('the template is a function that streams its responses', () => {
  expect(Resources.Function.Type).toBe('AWS::Serverless::Function');
  expect(Properties).toMatchObject({
    CodeUri: 'dist/htskit-lambda.zip',
    Handler: 'streamed.handler',
    FunctionUrlConfig: { AuthType: 'NONE', InvokeMode: 'RESPONSE_STREAM' },
  });
});

test('the role may read the bucket and nothing else', () => {
  const [{ Statement }] = Properties.Policies;
  const bucket = `!Sub arn:\${AWS::Partition}:s3:::\${Bucket}`;
  expect(Statement).toEqual([
    { Effect: 'Allow', Action: 's3:GetObject', Resource: `${bucket}/\${Prefix}*` },
    { Effect: 'Allow', Action: 's3:ListBucket', Resource: bucket },
  ]);
});

test('the signing key is a secret that the template does not have', () => {
  expect(Resources.SigningKey.Type).toBe('AWS::SecretsManager::Secret');
  expect(Properties.Environment.Variables['HTSKIT_KEY']).toBe(
    `!Sub utf8:{{resolve:secretsmanager:\${SigningKey}:SecretString}}`,
  );
});

test('every name in the template is a parameter, a resource, or one of CloudFormation', () => {
  const named = [...text.matchAll(/\$\{(\w+)\}|!Ref (\w+)|!GetAtt (\w+)/g)].map(([, ...names]) => names.join(''));
  // SAM names the URL of a function after it.
  const known = [...Object.keys(Parameters), ...Object.keys(Resources), 'FunctionUrl'];
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
