/** The samples that an answer keeps, as block URLs hold them. They refer to one version of a file. */
export interface SelectedSamples {
  /** The indexes of the samples in the `SampleTable`, as `packSamples` packs them. */
  readonly packed: string;
  /** Set if INFO keys over all samples keep their values. */
  readonly keepsAggregates?: true;
  /** Set if other samples must not be seen, so that INFO keeps nothing that may summarise them. */
  readonly hidesOthers?: true;
}

/** Base64url characters of a bitmap or of runs; see `packSamples`. */
const [BITMAP, RUNS] = ['b', 'r'];

/**
 * Packs the indexes of samples, which are in ascending order, as text for a block URL: as a bitmap, or as the lengths of the runs that
 * are left out and kept in turn, whichever is shorter. A list of names would take many times as much.
 */
export function packSamples(samples: readonly number[]): string {
  const runs = packRuns(samples);
  const bitmap = new Uint8Array(((samples.at(-1) ?? -1) >> 3) + 1);
  if (runs.length <= bitmap.length) return RUNS + toBase64(Uint8Array.from(runs));
  for (const sample of samples) bitmap[sample >> 3] = (bitmap[sample >> 3] ?? 0) | (1 << (sample & 7));
  return BITMAP + toBase64(bitmap);
}

/** The inverse of `packSamples`. */
export function unpackSamples(packed: string): readonly number[] {
  const bytes = Uint8Array.from(atob(packed.slice(1).replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
  return packed.startsWith(RUNS) ? unpackRuns(bytes) : unpackBitmap(bytes);
}

function toBase64(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns the bytes of variable-length integers: seven bits each, the lowest ones first. */
function packRuns(samples: readonly number[]): number[] {
  const bytes: number[] = [];
  const add = (length: number): void => {
    let rest = length;
    for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
  };
  let next = 0;
  for (let i = 0; i < samples.length; ) {
    const first = samples[i] ?? 0;
    let length = 1;
    while (samples[i + length] === first + length) length++;
    add(first - next);
    add(length);
    next = first + length;
    i += length;
  }
  return bytes;
}

function unpackRuns(bytes: Uint8Array): number[] {
  const samples: number[] = [];
  let next = 0;
  let isKept = false;
  let [length, shift] = [0, 0];
  for (const byte of bytes) {
    length |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    for (let i = 0; isKept && i < length; i++) samples.push(next + i);
    next += length;
    isKept = !isKept;
    [length, shift] = [0, 0];
  }
  return samples;
}

function unpackBitmap(bytes: Uint8Array): number[] {
  return Array.from(bytes).flatMap((byte, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => ((byte >> bit) & 1) === 1).map((bit) => 8 * index + bit),
  );
}
