/**
 * The MD5 of each sequence of a SAM header that tells it, such as the `.dict` beside a FASTA (SAMv1 §1.3, `SN` and `M5` of
 * `@SQ`), in lower case by name. Lines without either are passed over.
 */
export function parseDictionaryDigests(bytes: Uint8Array): Map<string, string> {
  const digests = new Map<string, string>();
  for (const line of new TextDecoder().decode(bytes).split(/\r?\n/)) {
    if (!line.startsWith('@SQ\t')) continue;
    const name = /\tSN:([^\t]+)/.exec(line)?.[1];
    const md5 = /\tM5:([0-9a-f]{32})(?:\t|$)/i.exec(line)?.[1];
    if (name !== undefined && md5 !== undefined) digests.set(name, md5.toLowerCase());
  }
  return digests;
}
