import { parseSequenceIdentifier } from '@htskit/digest';
import { AUTHORITIES } from '@htskit/protocol';

/** A name that an authority gave to a sequence, as a table lists it. */
export interface AliasRow {
  /** The name of the sequence in its file, or one of its digests, bare or with its namespace. Of a list, any one. */
  readonly sequence: string | readonly string[];
  /** All names of the same sequence in the table, if they are more than `sequence`. */
  readonly names?: readonly string[];
  readonly alias: string;
  readonly namingAuthority: string;
  /** Bases that the sequence must have. A sequence of this name but another length is a different sequence. */
  readonly length?: number;
}

/** Returns all names that a table has for the sequence of a row. The rows of a line share one list. */
export function namesOf({ sequence, names = toList(sequence) }: AliasRow): readonly string[] {
  return names;
}

/** Returns the names and digests for which a row holds. */
export function keysOf({ sequence }: AliasRow): readonly string[] {
  return toList(sequence);
}

function toList(sequence: AliasRow['sequence']): readonly string[] {
  return typeof sequence === 'string' ? [sequence] : sequence;
}

/** A line of a table and its offset in the file. */
export interface TableLine {
  readonly line: string;
  readonly offset: number;
}

/** Throws RangeError for a naming authority that an identifier cannot contain, such as `md5` or one with a colon. */
export function checkNamingAuthority(namingAuthority: string): void {
  if (isNamingAuthority(namingAuthority)) return;
  throw new RangeError(
    'a naming authority consists of letters, digits, "_", "." and "-", and is not the namespace of a digest',
  );
}

/** Returns whether an identifier can contain a naming authority. */
export function isNamingAuthority(namingAuthority: string): boolean {
  const identifier = parseSequenceIdentifier(`${namingAuthority}:name`, { authorities: AUTHORITIES });
  return identifier?.kind === 'curie' && identifier.name === 'name';
}
