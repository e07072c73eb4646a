/** The parts of a record to build; all others are zero. */
export interface RecordParts {
  /** Default 0. */
  readonly referenceId?: number;
  /** 0-based. Default 0. */
  readonly position?: number;
  /** Default 0. */
  readonly flag?: number;
  /** Includes the NUL. Default "r\0". */
  readonly name?: string;
  /** Operations such as `[5, 'M']`. Default none. */
  readonly cigar?: readonly (readonly [length: number, operation: string])[];
  /** l_seq. Default 0. */
  readonly baseCount?: number;
  /** Default none. */
  readonly tags?: Uint8Array;
}

export function ascii(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

export function join(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Encodes signed 32-bit numbers in little-endian order. */
export function int32(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(values).buffer);
}

export function encodeCigar(cigar: Required<RecordParts>['cigar']): Uint8Array {
  return int32(...cigar.map(([length, operation]) => length * 16 + 'MIDNSHP=X'.indexOf(operation)));
}

/** Builds a record (SAMv1 §4.2). */
export function buildRecord(parts: RecordParts = {}): Uint8Array {
  const { referenceId = 0, position = 0, flag = 0, name = 'r\0', cigar = [], baseCount = 0 } = parts;
  const body = join([
    int32(referenceId, position), // refID, pos
    Uint8Array.of(name.length, 60), // l_read_name, mapq
    Uint8Array.of(0, 0), // bin
    new Uint8Array(Uint16Array.of(cigar.length, flag).buffer), // n_cigar_op, flag
    int32(baseCount, -1, -1, 0), // l_seq, next_refID, next_pos, tlen
    ascii(name), // read_name
    encodeCigar(cigar),
    new Uint8Array(Math.ceil(baseCount / 2)), // seq
    new Uint8Array(baseCount), // qual
    parts.tags ?? new Uint8Array(0),
  ]);
  return join([int32(body.length), body]);
}

/** Builds a BAM header (SAMv1 §4.2). Names include their NUL. */
export function buildHeader(
  text: string,
  references: readonly (readonly [name: string, length: number])[],
): Uint8Array {
  return join([
    ascii('BAM\x01'), // magic
    int32(text.length), // l_text
    ascii(text),
    int32(references.length), // n_ref
    ...references.flatMap(([name, length]) => [int32(name.length), ascii(name), int32(length)]), // l_name, name, l_ref
  ]);
}

/** Returns a copy with a 32-bit number at `at`. */
export function patch(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const patched = bytes.slice();
  new DataView(patched.buffer).setInt32(at, value, true);
  return patched;
}
