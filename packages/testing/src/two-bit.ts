/** A sequence of the letters A, C, G, T and N in either case. */
export interface TwoBitInput {
  readonly name: string;
  readonly bases: string;
}

export interface TwoBitOptions {
  /** Default true. */
  readonly isLittleEndian?: boolean;
  /** Default 0. Version 1 has 64-bit offsets. */
  readonly version?: 0 | 1;
}

const CODES: Readonly<Record<string, number>> = { T: 0, C: 1, A: 2, G: 3, N: 0 };

/** Encodes a 2bit file (UCSC, "2bit format") as faToTwoBit does, with runs of N and of lower case as blocks. */
export function encodeTwoBit(
  sequences: readonly TwoBitInput[],
  { isLittleEndian = true, version = 0 }: TwoBitOptions = {},
): Uint8Array {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    if (isLittleEndian) bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    return bytes;
  };
  const offsetOf = (value: number): Buffer[] => {
    if (version === 0) return [number(value)];
    return isLittleEndian ? [number(value), number(0)] : [number(0), number(value)];
  };
  const blocks = (text: string, pattern: RegExp): Buffer[] => {
    const runs = [...text.matchAll(pattern)];
    return [runs.length, ...runs.map(({ index }) => index), ...runs.map(([run]) => run.length)].map(number);
  };
  const records = sequences.map(({ bases }) =>
    Buffer.concat([
      number(bases.length),
      ...blocks(bases, /N+/gi),
      ...blocks(bases, /[a-z]+/g),
      number(0),
      pack(bases),
    ]),
  );
  const names = sequences.map(({ name }) => Buffer.from(name));
  let offset = 16 + names.reduce((sum, name) => sum + 1 + name.length + (version === 0 ? 4 : 8), 0);
  const index = names.flatMap((name, i) => {
    const entry = [Buffer.of(name.length), name, ...offsetOf(offset)];
    offset += records[i]?.length ?? 0;
    return entry;
  });
  const header = [0x1a412743, version, sequences.length, 0].map(number);
  return new Uint8Array(Buffer.concat([...header, ...index, ...records]));
}

function pack(bases: string): Buffer {
  const packed = Buffer.alloc(Math.ceil(bases.length / 4));
  for (const [at, base] of Array.from(bases.toUpperCase()).entries()) {
    const code = CODES[base];
    if (code === undefined) throw new Error(`2bit has no ${base}`);
    packed[at >> 2] = (packed[at >> 2] ?? 0) | (code << (6 - 2 * (at % 4)));
  }
  return packed;
}
