const TOKEN_KEY = 'htskit-token';

/** The bearer token of this tab. It is never part of a URL. */
export const token = {
  get: (): string => sessionStorage.getItem(TOKEN_KEY) ?? '',
  set: (value: string): void => {
    if (value === '') sessionStorage.removeItem(TOKEN_KEY);
    else sessionStorage.setItem(TOKEN_KEY, value);
  },
};

/** What a token says of itself. The server alone decides whether that is true. */
export interface TokenClaims {
  /** Whose token it is. */
  readonly subject?: string;
  readonly issuer?: string;
  /** When it expires, in milliseconds since 1970. */
  readonly expires?: number;
}

/** Reads the claims of a JSON Web Token (RFC 7519). Returns none for other tokens. */
export function readClaims(text: string): TokenClaims {
  const [, payload] = text.split('.');
  if (payload === undefined) return {};
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? toClaims(claims as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function toClaims(claims: Readonly<Record<string, unknown>>): TokenClaims {
  const { name, preferred_username: login, email, sub, iss, exp } = claims;
  const subject = [name, login, email, sub].find((value) => typeof value === 'string' && value !== '');
  return {
    ...(typeof subject === 'string' && { subject }),
    ...(typeof iss === 'string' && { issuer: iss }),
    ...(typeof exp === 'number' && Number.isFinite(exp) && { expires: exp * 1000 }),
  };
}
