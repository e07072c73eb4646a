import { parseSequenceIdentifier, type SequenceDigests } from '@htskit/digest';
import { AUTHORITIES } from '@htskit/protocol';
import { RefgetClientError } from '../client-error.js';

/** What is asked for. */
export interface SequenceId {
  /** As it was given, as one segment of a path. */
  readonly path: string;
  /** What the bases of the whole sequence must have; undefined for a name, which stands for no bases in particular. */
  readonly digest: { readonly kind: DigestKind; readonly value: string } | undefined;
}

type DigestKind = 'md5' | 'sha512t24u' | 'trunc512';

/** Reads an id: a digest with or without its namespace, or a CURIE. Throws INVALID_QUERY for anything else. */
export function parseSequenceId(id: string): SequenceId {
  const parsed = parseSequenceIdentifier(id, { authorities: AUTHORITIES });
  if (parsed === undefined) throw new RefgetClientError('INVALID_QUERY', 'the id is neither a digest nor a CURIE');
  // A colon may stand in a path, and not every server reads it when it is escaped.
  const path = encodeURIComponent(id).replaceAll('%3A', ':');
  return { path, digest: parsed.kind === 'curie' ? undefined : { kind: parsed.kind, value: parsed.digest } };
}

/** Whether these are the digests of the sequence that was asked for, as far as they are known. */
export function isSequence({ digest }: SequenceId, digests: Partial<SequenceDigests>): boolean {
  return digest === undefined || (digests[digest.kind] ?? digest.value) === digest.value;
}
