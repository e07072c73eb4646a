import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Server } from '@htskit/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { credentialsFromProviderChain } from '../../src/s3/provider-chain.node.js';
import { s3ObjectStore } from '../../src/s3/s3-object-store.js';

const EXPIRATION = '2099-01-01T00:00:00Z';

interface StubAnswer {
  readonly status?: number;
  readonly body: string;
}

let folder: string;
let stub: Server;
let url: string;
/** The requests that the stub received, such as `PUT /latest/api/token`. */
let requests: string[];
let answers: Map<string, StubAnswer>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'htskit-chain-'));
  requests = [];
  answers = new Map();
  stub = createServer((request, response) => {
    const name = `${request.method} ${request.url?.split('?')[0]}`;
    requests.push(name);
    const { status = 200, body } = answers.get(name) ?? { status: 404, body: '' };
    request.resume().on('end', () => response.writeHead(status).end(body));
  });
  await new Promise<void>((resolve) => {
    stub.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'));
  vi.stubEnv('AWS_REGION', 'us-east-1');
  // No test may leave this machine.
  vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', url);
  vi.stubEnv('AWS_ENDPOINT_URL_STS', url);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  stub.closeAllConnections();
  stub.close();
  await rm(folder, { recursive: true });
});

const temporary = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'stub-secret', sessionToken: 'stub-token' };

function metadataBody(): string {
  return JSON.stringify({
    Code: 'Success',
    Type: 'AWS-HMAC',
    LastUpdated: '2026-01-01T00:00:00Z',
    AccessKeyId: temporary.accessKeyId,
    SecretAccessKey: temporary.secretAccessKey,
    Token: temporary.sessionToken,
    Expiration: EXPIRATION,
  });
}

async function provide(): Promise<unknown> {
  return (await credentialsFromProviderChain())();
}

test('reads the role of an EC2 instance with a session token (IMDSv2)', async () => {
  answers.set('PUT /latest/api/token', { body: 'metadata-token' });
  answers.set('GET /latest/meta-data/iam/security-credentials/', { body: 'role' });
  answers.set('GET /latest/meta-data/iam/security-credentials/role', { body: metadataBody() });
  expect(await provide()).toMatchObject({ ...temporary, expiration: new Date(EXPIRATION) });
  expect(requests).toContain('PUT /latest/api/token');
});

test('reads the credentials of a container', async () => {
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${url}/container`);
  answers.set('GET /container', { body: metadataBody() });
  expect(await provide()).toMatchObject({ ...temporary, expiration: new Date(EXPIRATION) });
});

test('exchanges a web identity for a role (IRSA)', async () => {
  await writeFile(join(folder, 'token'), 'web-identity');
  vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', join(folder, 'token'));
  vi.stubEnv('AWS_ROLE_ARN', 'arn:aws:iam::123456789012:role/reader');
  const { accessKeyId, secretAccessKey, sessionToken } = temporary;
  const credentials =
    `<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>` +
    `<SessionToken>${sessionToken}</SessionToken><Expiration>${EXPIRATION}</Expiration>`;
  const result = `<AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials></AssumeRoleWithWebIdentityResult>`;
  const body = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${result}</AssumeRoleWithWebIdentityResponse>`;
  answers.set('POST /', { body });
  expect(await provide()).toMatchObject({ ...temporary, expiration: new Date(EXPIRATION) });
});

test('reads a profile', async () => {
  const { accessKeyId, secretAccessKey } = temporary;
  const lines = ['[cohort]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`];
  await writeFile(join(folder, 'credentials'), `${lines.join('\n')}\n`);
  vi.stubEnv('AWS_PROFILE', 'cohort');
  expect(await provide()).toMatchObject({ accessKeyId, secretAccessKey });
  expect(requests).toEqual([]);
});

test('signs requests to a bucket with credentials of the chain, which are requested once', async () => {
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${url}/container`);
  answers.set('GET /container', { body: metadataBody() });
  const server = await S3Server.start({ keys: temporary });
  try {
    const credentials = await credentialsFromProviderChain();
    const { bucket, endpoint } = server;
    const store = s3ObjectStore({ bucket, endpoint, forcePathStyle: true, credentials });
    await store.put('object', new Uint8Array(3));
    expect((await store.source('object').stat()).size).toBe(3);
  } finally {
    await server.close();
  }
  expect(requests).toEqual(['GET /container']);
});

test('fails if no link of the chain has credentials', async () => {
  await expect(provide()).rejects.toThrow('Could not load credentials from any providers');
  expect(requests.length).toBeGreaterThan(0);
});

test('names the package to install if it is missing', async () => {
  const load = async (): Promise<never> => {
    throw Object.assign(new Error('cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  };
  await expect(credentialsFromProviderChain(load)).rejects.toThrow(
    'the default credential chain needs an optional package: npm install @aws-sdk/credential-providers',
  );
});
