import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as digestBytes } from '@noble/hashes/sha2.js';
import { toBase64Url } from './base64url.js';

/** Gives the HMAC-SHA-256 of an ASCII text as base64url, 43 characters. */
export type Mac = (text: string) => string;

const encoder = new TextEncoder();

/** By noble rather than WebCrypto: synchronous, so that signing costs a ticket no turn of the event loop per block. */
export function createMac(key: Uint8Array): Mac {
  const keyed = hmac.create(digestBytes, key);
  return (text) => toText(keyed.clone().update(encoder.encode(text)).digest());
}

/** The SHA-256 of a text as base64url, 43 characters. */
export function sha256(text: string): string {
  return toText(digestBytes(encoder.encode(text)));
}

function toText(digest: Uint8Array): string {
  return toBase64Url(String.fromCharCode(...digest));
}
