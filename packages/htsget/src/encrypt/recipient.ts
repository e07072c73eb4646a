import { Crypt4ghError, parsePublicKey } from '@htskit/crypt4gh';
import { toHex } from '@htskit/io';
import { HtsgetError } from '@htskit/protocol';

/** The headers in which clients send their public key: htsget-rs reads the first, the archives of NeIC also the others. */
const KEY_HEADERS = ['htsget-context-public-key', 'x-c4gh-public-key', 'client-public-key'] as const;

/**
 * Returns the public key that a client wants its answer encrypted for: base64 of its 32 bytes or of its PEM file. Throws
 * `HtsgetError` InvalidInput if there is none, if it is malformed, and if two headers have different keys.
 */
export function readRecipient(headers: Headers): Uint8Array {
  const keys = KEY_HEADERS.flatMap((name) => {
    const text = headers.get(name);
    return text === null ? [] : [parseKey(name, text)];
  });
  const [recipient] = keys;
  if (recipient === undefined) {
    throw new HtsgetError('InvalidInput', 'an encrypted answer needs the header Htsget-Context-Public-Key');
  }
  if (new Set(keys.map(toHex)).size > 1) {
    throw new HtsgetError('InvalidInput', 'two headers have different public keys');
  }
  return recipient;
}

function parseKey(name: string, text: string): Uint8Array {
  try {
    return parsePublicKey(text);
  } catch (cause) {
    if (!(cause instanceof Crypt4ghError)) throw cause;
    throw new HtsgetError('InvalidInput', `the header ${name} must be the base64 of a Crypt4GH public key`, { cause });
  }
}
