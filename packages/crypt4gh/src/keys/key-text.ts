import { fromBase64 } from '@htskit/io';
import { Crypt4ghError } from '../crypt4gh-error.js';
import { KEY_BYTES } from './secret-bytes.js';

/** Bytes of the largest key file that is read. */
const MAX_KEY_FILE_BYTES = 65_536;

const PEM = /^-----BEGIN ([A-Z0-9 ]+)-----\s+([A-Za-z0-9+/=\s]*?)\s*-----END \1-----\s*$/;
const BASE64 = /^[A-Za-z0-9+/_=-]+$/;

/** The bytes of a key or of a container of keys, and the label of the PEM file if they come from one. */
export interface KeyBytes {
  readonly bytes: Uint8Array;
  readonly label: string | undefined;
}

/**
 * Decodes a key from its 32 raw bytes, their Base64 (also Base64url, padded or not), a PEM file, or the Base64 of a PEM file. Throws
 * `Crypt4ghError` INVALID_KEY for anything else, and UNSUPPORTED for keys of OpenSSH.
 */
export function decodeKeyText(input: string | Uint8Array): KeyBytes {
  if (input.length > MAX_KEY_FILE_BYTES) {
    throw new Crypt4ghError('INVALID_KEY', `a key file has at most ${MAX_KEY_FILE_BYTES} bytes, not ${input.length}`);
  }
  if (typeof input !== 'string' && input.length === KEY_BYTES) return { bytes: input, label: undefined };
  const text = (typeof input === 'string' ? input : new TextDecoder().decode(input)).trim();
  if (text.startsWith('-----BEGIN ')) return decodePem(text);
  if (text.startsWith('ssh-')) throw toOpenSshError();
  const bytes = BASE64.test(text) ? decodeBase64(text) : undefined;
  if (bytes?.length === KEY_BYTES) return { bytes, label: undefined };
  const inner = new TextDecoder().decode(bytes).trim();
  if (inner.startsWith('-----BEGIN ')) return decodePem(inner);
  throw new Crypt4ghError('INVALID_KEY', 'not a key: expected 32 bytes, their Base64, or a PEM file of Crypt4GH');
}

function decodePem(text: string): KeyBytes {
  const [, label, body] = PEM.exec(text) ?? [];
  const bytes = decodeBase64(body?.replaceAll(/\s/g, '') ?? '');
  if (label === undefined || bytes === undefined || bytes.length === 0) {
    throw new Crypt4ghError('INVALID_KEY', 'not a key: the PEM file is cut or malformed');
  }
  if (label === 'OPENSSH PRIVATE KEY') throw toOpenSshError();
  return { bytes, label };
}

/** Decodes Base64 of either alphabet, padded or not. Returns undefined for other text. */
function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    // `atob` reports other text by an exception only.
    return undefined;
  }
}

function toOpenSshError(): Crypt4ghError {
  return new Crypt4ghError('UNSUPPORTED', 'keys of OpenSSH are not supported; create one with "htskit keygen"');
}

/** Formats bytes as a PEM file (RFC 7468), in one line as other programs do. */
export function formatPem(label: string, base64: string): string {
  return `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
}
