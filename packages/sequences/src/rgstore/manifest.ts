import { SequenceSourceError } from '../sequence-source-error.js';

/** What `rgstore.json` tells of a RefgetStore, version 1 (gtars-refget). */
export interface RgstoreManifest {
  /** Whether sequences are packed, each as its alphabet allows; otherwise they are text. */
  readonly isEncoded: boolean;
  /** Key of the table of sequences. */
  readonly sequenceIndex: string;
  /** Key of a sequence: `%s` stands for its digest, `%s2` and `%s4` for the begin of that. */
  readonly sequencePath: string;
  /** Naming authorities of the aliases of sequences. */
  readonly aliasNamespaces: readonly string[];
}

/** Throws INVALID_STORE for what is no JSON object, another version, or without one of the keys that are needed. */
export function parseRgstoreManifest(bytes: Uint8Array): RgstoreManifest {
  const manifest = parseObject(bytes);
  const { version, mode, sequence_index, seqdata_path_template, sequence_alias_namespaces } = manifest;
  if (version !== 1) throw invalid('version 1 of rgstore.json is read here, and no other');
  if (mode !== 'Raw' && mode !== 'Encoded') throw invalid('the mode of rgstore.json is Raw or Encoded');
  if (typeof seqdata_path_template !== 'string' || !seqdata_path_template.includes('%s')) {
    throw invalid('rgstore.json has no seqdata_path_template with %s');
  }
  const namespaces: readonly unknown[] = Array.isArray(sequence_alias_namespaces) ? sequence_alias_namespaces : [];
  return {
    isEncoded: mode === 'Encoded',
    sequenceIndex: typeof sequence_index === 'string' ? sequence_index : 'sequences.rgsi',
    sequencePath: seqdata_path_template,
    aliasNamespaces: namespaces.filter((namespace) => typeof namespace === 'string'),
  };
}

/** The key of the sequence with an `SQ.` digest. */
export function sequenceKey({ sequencePath }: RgstoreManifest, sqDigest: string): string {
  const digest = sqDigest.slice('SQ.'.length);
  return sequencePath.replace(/%s(\d?)/g, (_, digits: string) =>
    digits === '' ? digest : digest.slice(0, Number(digits)),
  );
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw invalid('rgstore.json is no JSON', cause);
  }
  throw invalid('rgstore.json is no JSON object');
}

function invalid(message: string, cause?: unknown): SequenceSourceError {
  return new SequenceSourceError('INVALID_STORE', message, { offset: 0, ...(cause !== undefined && { cause }) });
}
