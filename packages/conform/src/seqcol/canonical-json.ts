import { sha512t24u } from '@htskit/digest';
import { isJsonObject } from '../engine/answer.js';

/** Returns the canonical JSON text of a value (RFC 8785). ECMAScript defines that of strings and numbers. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}

/** Returns the digest of a value (sequence collections 1.0.0, §2, steps 2 and 3). */
export function digestValue(value: unknown): string {
  return sha512t24u(new TextEncoder().encode(canonicalJson(value)));
}
