// A mock of a GA4GH broker for the walk through in docs/controlled-data.md: it gives a passport to anyone who asks. Never use it for data.
//
//   node broker.mjs 9000
//
// GET /jwks is its key set, and GET /passport?sub=NAME&dataset=ID a passport with a visa for each dataset, as text.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';

const port = Number(process.argv[2] ?? 9000);
const issuer = `http://127.0.0.1:${port}`;
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' };

/**
 * Returns a JWT that the broker signs, valid for an hour.
 *
 * @param {string} sub
 * @param {object} header
 * @param {object} claims
 */
function toToken(sub, header, claims) {
  const now = Math.floor(Date.now() / 1000);
  const payload = { iss: issuer, sub, iat: now, exp: now + 3600, jti: randomUUID(), ...claims };
  const input = [{ alg: jwk.alg, kid: jwk.kid, ...header }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/**
 * Returns a visa that a data access committee granted (Passport 1.2, "ControlledAccessGrants").
 *
 * @param {string} sub
 * @param {string} dataset
 */
function toVisa(sub, dataset) {
  const value = `https://data.example/datasets/${encodeURIComponent(dataset)}`;
  const grant = { type: 'ControlledAccessGrants', value, source: 'https://dac.example', by: 'dac' };
  const header = { typ: 'vnd.ga4gh.visa+jwt', jku: `${issuer}/jwks` };
  return toToken(sub, header, { ga4gh_visa_v1: { ...grant, asserted: Math.floor(Date.now() / 1000) } });
}

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
  if (pathname === '/jwks') return response.end(JSON.stringify({ keys: [jwk] }));
  if (pathname !== '/passport') return response.writeHead(404).end();
  const sub = searchParams.get('sub') ?? 'nobody';
  const visas = searchParams.getAll('dataset').map((dataset) => toVisa(sub, dataset));
  response.end(toToken(sub, { typ: 'vnd.ga4gh.passport+jwt' }, { ga4gh_passport_v1: visas }));
}).listen(port, '127.0.0.1');
