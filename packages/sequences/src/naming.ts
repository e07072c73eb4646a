import { fromTrunc512, parseSequenceIdentifier, type SequenceDigests } from '@htskit/digest';
import { AUTHORITIES } from '@htskit/protocol';
import type { AliasRow } from './name-tables.js';
import type { SequenceAlias, SequenceMetadata } from './sequence.js';

/** Names and topology of the sequences of a file. */
export interface NamingOptions {
  /** Names of the circular sequences. */
  readonly circular?: ReadonlySet<string> | undefined;
  /** The authority that named the sequences; makes each name an alias. Without it, names are not aliases. */
  readonly namingAuthority?: string | undefined;
  /** Further aliases. Rows of sequences that are not in the file are ignored. */
  readonly aliases?: readonly AliasRow[] | undefined;
}

/** Returns the metadata of the sequence that has this name in its file. */
export type DescribeSequence = (name: string, digests: SequenceDigests) => SequenceMetadata;

/** Indexes the aliases by sequence. Throws RangeError for a naming authority that an identifier cannot contain. */
export function createDescriber({ circular, namingAuthority, aliases = [] }: NamingOptions): DescribeSequence {
  const authorities = new Set(aliases.map((row) => row.namingAuthority));
  if (namingAuthority !== undefined) authorities.add(namingAuthority);
  for (const authority of authorities) checkNamingAuthority(authority);
  const bySequence = new Map<string, AliasRow[]>();
  for (const row of aliases) {
    const key = toKey(row.sequence);
    const known = bySequence.get(key) ?? [];
    known.push(row);
    bySequence.set(key, known);
  }
  return (name, digests) => {
    const own = namingAuthority === undefined ? [] : [{ alias: name, namingAuthority }];
    const { md5, sha512t24u } = digests;
    const rows = [name, md5, sha512t24u].flatMap((key) => bySequence.get(key) ?? []);
    const further = rows
      .filter(({ length = digests.length }) => length === digests.length)
      .map(({ alias, namingAuthority }) => ({ alias, namingAuthority }));
    return { ...digests, aliases: withoutRepeats([...own, ...further]), circular: circular?.has(name) ?? false };
  };
}

/**
 * Throws RangeError for a naming authority that an identifier cannot contain, such as `md5` or one with a colon.
 *
 * @example
 * checkNamingAuthority('insdc'); // returns
 * checkNamingAuthority('md5'); // throws: `md5:…` is a digest
 */
export function checkNamingAuthority(namingAuthority: string): void {
  const identifier = parseSequenceIdentifier(`${namingAuthority}:name`, { authorities: AUTHORITIES });
  if (identifier?.kind === 'curie' && identifier.name === 'name') return;
  throw new RangeError(
    'a naming authority consists of letters, digits, "_", "." and "-", and is not the namespace of a digest',
  );
}

/** Returns the MD5 or `SQ.` digest if the text is a digest, otherwise the text itself: the name of a sequence. */
function toKey(text: string): string {
  const identifier = parseSequenceIdentifier(text, { authorities: AUTHORITIES });
  if (identifier === undefined || identifier.kind === 'curie') return text;
  return identifier.kind === 'trunc512' ? fromTrunc512(identifier.digest) : identifier.digest;
}

function withoutRepeats(aliases: readonly SequenceAlias[]): SequenceAlias[] {
  const byText = new Map(aliases.map((alias) => [JSON.stringify([alias.namingAuthority, alias.alias]), alias]));
  return [...byText.values()];
}
