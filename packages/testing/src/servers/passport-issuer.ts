import { type CryptoKey, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { JsonServer } from './json-server.js';
import { type Claims, createKey, type IssuerKey, keySetOf, now } from './token-issuer.js';

/** The dataset that visas grant by default. */
export const DATASET = 'https://data.example/datasets/D1';

/** Parts of a token that replace those of a valid one. Undefined ones are left out. */
export interface TokenParts {
  readonly header?: Claims;
  readonly claims?: Claims;
  /** Claims of the visa object. */
  readonly visa?: Claims;
  readonly key?: CryptoKey;
}

/** An issuer of visas and passports, whose key set is on the loopback address. */
export class PassportIssuer {
  readonly issuer: string;
  readonly keys: JsonServer;
  key: IssuerKey;

  private constructor(issuer: string, key: IssuerKey, keys: JsonServer) {
    this.issuer = issuer;
    this.key = key;
    this.keys = keys;
  }

  static async start(issuer: string): Promise<PassportIssuer> {
    const key = await createKey('one');
    return new PassportIssuer(issuer, key, await JsonServer.start(keySetOf(key)));
  }

  /** The entry of the issuer in a list of trusted ones. */
  get trusted(): { readonly issuer: string; readonly jwksUrl: string } {
    return { issuer: this.issuer, jwksUrl: this.keys.url };
  }

  /** Signs a visa of the dataset for `alice`, from a data access committee. */
  signVisa({ header, claims, visa, key }: TokenParts = {}): Promise<string> {
    const object = { type: 'ControlledAccessGrants', value: DATASET, source: 'https://dac.example', by: 'dac' };
    const ga4gh_visa_v1 = defined({ ...object, asserted: now() - 60, ...visa });
    return this.#sign(
      { typ: 'vnd.ga4gh.visa+jwt', jku: this.keys.url, ...header },
      { jti: 'visa-1', ga4gh_visa_v1, ...claims },
      key,
    );
  }

  /** Signs a passport of `alice`. */
  signPassport(visas: readonly unknown[], { header, claims, key }: TokenParts = {}): Promise<string> {
    return this.#sign({ typ: 'vnd.ga4gh.passport+jwt', ...header }, { ga4gh_passport_v1: visas, ...claims }, key);
  }

  async rotate(): Promise<void> {
    this.key = await createKey('two');
    this.keys.document = keySetOf(this.key);
  }

  stop(): Promise<void> {
    return this.keys.stop();
  }

  #sign(header: Claims, claims: Claims, key: CryptoKey = this.key.privateKey): Promise<string> {
    const { alg, jwk } = this.key;
    const payload = { iss: this.issuer, sub: 'alice', iat: now() - 60, exp: now() + 600, ...claims };
    return new SignJWT(defined(payload) as JWTPayload)
      .setProtectedHeader(defined({ alg, kid: jwk.kid, ...header }) as unknown as JWTHeaderParameters)
      .sign(key, { crit: { x: true } });
  }
}

function defined(parts: Claims): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}
