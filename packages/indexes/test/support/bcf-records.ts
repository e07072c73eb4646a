/** A record of a BCF file (VCFv4.3 §6.3.1). */
export interface DecodedBcfRecord {
  /** Index of the contig in the header. */
  readonly contig: number;
  /** 0-based, half-open. */
  readonly start: number;
  readonly end: number;
  /** Bytes of the record, including its two lengths. */
  readonly byteLength: number;
}

/** Decodes a whole uncompressed BCF independently of @htskit/formats. */
export function decodeBcf(bytes: Uint8Array): {
  readonly contigs: readonly string[];
  readonly headerLength: number;
  readonly records: readonly DecodedBcfRecord[];
} {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.toString('latin1', 0, 5) !== 'BCF\x02\x02') throw new Error('not BCF 2.2');
  const headerLength = 9 + buffer.readUInt32LE(5);
  const contigs = Array.from(
    buffer.toString('latin1', 9, headerLength).matchAll(/^##contig=<ID=([^,>]+)/gm),
    ([, name = '']) => name,
  );
  const records: DecodedBcfRecord[] = [];
  for (let at = headerLength; at < buffer.length; ) {
    const byteLength = 8 + buffer.readUInt32LE(at) + buffer.readUInt32LE(at + 4);
    const start = buffer.readInt32LE(at + 12);
    records.push({ contig: buffer.readInt32LE(at + 8), start, end: start + buffer.readInt32LE(at + 16), byteLength });
    at += byteLength;
  }
  return { contigs, headerLength, records };
}
