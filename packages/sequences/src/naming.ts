import { fromTrunc512, parseSequenceIdentifier, type SequenceDigests } from '@htskit/digest';
import { AUTHORITIES } from '@htskit/protocol';
import type { AliasRow } from './alias-row.js';
import type { SequenceAlias, SequenceMetadata } from './sequence.js';

/** What is known of the sequences of a file besides their bases. */
export interface NamingOptions {
  /** Names of the sequences that are circular. */
  readonly circular?: ReadonlySet<string> | undefined;
  /** Who gave the sequences their names; makes each name an alias. Without it names are no aliases. */
  readonly namingAuthority?: string | undefined;
  /** Further aliases, also of sequences that the file does not have. */
  readonly aliases?: readonly AliasRow[] | undefined;
}

/** Tells the metadata of a sequence by the name that it has in its file. */
export type DescribeSequence = (name: string, digests: SequenceDigests) => SequenceMetadata;

/** Throws RangeError for a naming authority whose identifiers could not be asked for. */
export function createDescriber({ circular, namingAuthority, aliases = [] }: NamingOptions): DescribeSequence {
  const authorities = new Set(aliases.map((row) => row.namingAuthority));
  for (const authority of namingAuthority === undefined ? authorities : authorities.add(namingAuthority)) {
    checkNamingAuthority(authority);
  }
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

/** Throws RangeError for a naming authority whose identifiers could not be asked for: `md5`, say, or one with a colon. */
export function checkNamingAuthority(namingAuthority: string): void {
  const identifier = parseSequenceIdentifier(`${namingAuthority}:name`, { authorities: AUTHORITIES });
  if (identifier?.kind === 'curie' && identifier.name === 'name') return;
  throw new RangeError('a naming authority is of letters, digits, "_", "." and "-", and not the name of a digest');
}

/** The MD5 or `SQ.` digest that the text is, and else the text: the name of a sequence. */
function toKey(text: string): string {
  const identifier = parseSequenceIdentifier(text, { authorities: AUTHORITIES });
  if (identifier === undefined || identifier.kind === 'curie') return text;
  return identifier.kind === 'trunc512' ? fromTrunc512(identifier.digest) : identifier.digest;
}

function withoutRepeats(aliases: readonly SequenceAlias[]): SequenceAlias[] {
  const byText = new Map(aliases.map((alias) => [JSON.stringify([alias.namingAuthority, alias.alias]), alias]));
  return [...byText.values()];
}
