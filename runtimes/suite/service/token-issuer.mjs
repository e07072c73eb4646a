import { corsHeaders } from '@htskit/http';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Returns routes to the public key of an issuer of tokens, as a key set, and to tokens with the claims of the query. */
export function createTokenIssuer() {
  let keys;
  const findKeys = () => {
    keys ??= crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    return keys;
  };
  return {
    jwks: async (request) => {
      const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', (await findKeys()).publicKey);
      return Response.json(
        { keys: [{ kty, crv, x, y, kid: 'suite', alg: 'ES256' }] },
        { headers: corsHeaders(request) },
      );
    },
    token: async (request) => {
      const claims = JSON.parse(new URL(request.url).searchParams.get('claims'));
      const signed = [{ alg: 'ES256', kid: 'suite' }, claims].map((part) => toBase64Url(encode(JSON.stringify(part))));
      const signature = await crypto.subtle.sign(ALGORITHM, (await findKeys()).privateKey, encode(signed.join('.')));
      return new Response([...signed, toBase64Url(new Uint8Array(signature))].join('.'), {
        headers: corsHeaders(request),
      });
    },
  };
}

const encode = (text) => new TextEncoder().encode(text);

function toBase64Url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
