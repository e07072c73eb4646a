import { type SequenceDigests, toTrunc512 } from '@htskit/digest';
import type { AliasRow } from '../alias-row.js';
import { SequenceSourceError } from '../sequence-source-error.js';

/** A line of `sequences.rgsi`. */
export interface RgstoreRow {
  readonly name: string;
  readonly alphabet: string;
  readonly digests: SequenceDigests;
}

const SQ_DIGEST = /^(?:SQ\.)?([A-Za-z0-9_-]{32})$/;
const MD5 = /^[0-9a-f]{32}$/i;

/**
 * Parses the table of sequences: lines of name, length, alphabet, sha512t24u and MD5, separated by tabs; lines that begin
 * with `#` are passed over. Throws INVALID_STORE for any other line.
 */
export function parseSequenceRows(bytes: Uint8Array): RgstoreRow[] {
  return parseLines(bytes, (columns) => {
    const [name = '', length = '', alphabet = '', digest = '', md5 = ''] = columns;
    const sha512t24u = SQ_DIGEST.exec(digest)?.[1];
    const isRow = name !== '' && /^\d{1,15}$/.test(length) && sha512t24u !== undefined && MD5.test(md5);
    if (!isRow) return undefined;
    const sqDigest = `SQ.${sha512t24u}`;
    const digests = {
      length: Number(length),
      md5: md5.toLowerCase(),
      sha512t24u: sqDigest,
      trunc512: toTrunc512(sqDigest),
    };
    return { name, alphabet: alphabet.toLowerCase(), digests };
  });
}

/** Parses the aliases of one naming authority: lines of alias and digest. Throws INVALID_STORE for any other line. */
export function parseAliasRows(bytes: Uint8Array, namingAuthority: string): AliasRow[] {
  return parseLines(bytes, ([alias = '', digest = '']) => {
    const sha512t24u = SQ_DIGEST.exec(digest)?.[1];
    return alias === '' || sha512t24u === undefined
      ? undefined
      : { sequence: `SQ.${sha512t24u}`, alias, namingAuthority };
  });
}

function parseLines<T>(bytes: Uint8Array, parse: (columns: readonly string[]) => T | undefined): T[] {
  const rows: T[] = [];
  const decoder = new TextDecoder();
  for (let offset = 0; offset < bytes.length; ) {
    const lineFeed = bytes.indexOf(0x0a, offset);
    const end = lineFeed === -1 ? bytes.length : lineFeed;
    const line = decoder.decode(bytes.subarray(offset, end)).replace(/\r$/, '');
    if (line !== '' && !line.startsWith('#')) {
      const row = parse(line.split('\t'));
      if (row === undefined)
        throw new SequenceSourceError('INVALID_STORE', 'a line of a table is malformed', { offset });
      rows.push(row);
    }
    offset = end + 1;
  }
  return rows;
}
