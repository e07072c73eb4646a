import { fromTrunc512, type SequenceIdentifier } from '@htskit/digest';
import type { Sequence } from './sequence.js';

/** Returns the keys by which a sequence is found. Only CURIEs hold a colon, and an MD5 is shorter than an `SQ.` digest. */
export function lookupKeys({ metadata }: Sequence): Set<string> {
  const curies = metadata.aliases.map(({ alias, namingAuthority }) => curieKey(namingAuthority, alias));
  return new Set([metadata.md5, metadata.sha512t24u, ...curies]);
}

/** Returns the key of the sequences that an identifier names. */
export function lookupKey(identifier: SequenceIdentifier): string {
  if (identifier.kind === 'curie') return curieKey(identifier.namespace, identifier.name);
  return identifier.kind === 'trunc512' ? fromTrunc512(identifier.digest) : identifier.digest;
}

/** Returns the key of an alias. Namespaces ignore letter case, names do not. */
export function curieKey(namespace: string, name: string): string {
  return `${namespace.toLowerCase()}:${name}`;
}
