import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { toBase64Url } from './base64url.js';

/** Gives the HMAC-SHA-256 of an ASCII text as base64url, 43 characters. */
export type Mac = (text: string) => string;

const encoder = new TextEncoder();

/** By noble rather than WebCrypto: synchronous, so that signing costs a ticket no turn of the event loop per block. */
export function createMac(key: Uint8Array): Mac {
  const keyed = hmac.create(sha256, key);
  return (text) => toBase64Url(String.fromCharCode(...keyed.clone().update(encoder.encode(text)).digest()));
}
