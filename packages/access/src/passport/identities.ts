import { isUnconditional } from './conditions.js';
import type { ConditionalVisa, Visa } from './visa.js';

/** The identity that a visa must have, unless its identity is linked with that of the token. */
export type SubjectBinding = 'none' | 'sub' | 'iss+sub';

/** An issuer and the name of a person there. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** The most identities that visas link. */
const MAX_IDENTITIES = 1000;

/** The identities that visas of the type LinkedIdentities say are the same person (Passport 1.2, "LinkedIdentities"). */
export class LinkedIdentities {
  /** The group of each identity that is linked with another one. */
  readonly #groups = new Map<string, Set<string>>();

  /** Only trusted visas without conditions link identities. */
  constructor(visas: readonly ConditionalVisa[]) {
    for (const visa of visas) {
      if (visa.type !== 'LinkedIdentities' || !isUnconditional(visa.conditions)) continue;
      const others = parseIdentities(visa.value);
      if (others !== undefined && this.#groups.size + others.length < MAX_IDENTITIES) this.#link([visa, ...others]);
    }
  }

  isSamePerson(a: Identity, b: Identity): boolean {
    const [keyOfA, keyOfB] = [keyOf(a), keyOf(b)];
    return keyOfA === keyOfB || this.#groups.get(keyOfA)?.has(keyOfB) === true;
  }

  #link(identities: readonly Identity[]): void {
    const keys = identities.map(keyOf);
    const group = new Set(keys.flatMap((key) => [key, ...(this.#groups.get(key) ?? [])]));
    for (const key of group) this.#groups.set(key, group);
  }
}

/** Returns whether a visa is for the person that a token names. */
export function isBound(
  visa: Visa,
  token: Identity,
  { binding, links }: { readonly binding: SubjectBinding; readonly links: LinkedIdentities },
): boolean {
  if (binding === 'none' || links.isSamePerson(visa, token)) return true;
  return binding === 'sub' && visa.subject === token.subject;
}

/** Parses `<uri-encoded-sub>,<uri-encoded-iss>` entries with semicolons between them. Returns undefined for any other text. */
function parseIdentities(value: string): readonly Identity[] | undefined {
  try {
    const identities = value.split(';').map((entry) => {
      const [subject = '', issuer = '', ...others] = entry.split(',').map(decodeURIComponent);
      return others.length > 0 || subject === '' || issuer === '' ? undefined : { subject, issuer };
    });
    return identities.every((identity) => identity !== undefined) ? identities : undefined;
  } catch {
    return undefined;
  }
}

function keyOf({ issuer, subject }: Identity): string {
  return JSON.stringify([issuer, subject]);
}
