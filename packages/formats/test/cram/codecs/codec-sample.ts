/** The data that the vectors of `codec-vectors.ts` compress. Each sample suits other codecs. */
export type CodecSample =
  | 'bases'
  | 'qualities'
  | 'positions'
  | 'noise'
  | 'constant'
  | 'runs'
  | 'flags'
  | 'records'
  | 'names';

/** Returns the bytes of a sample, always the same. */
export function codecSample(sample: CodecSample): Uint8Array {
  const draw = createDraw(7);
  switch (sample) {
    case 'bases':
      return inRuns(333, () => ({ byte: 'ACGT'.charCodeAt(draw(4)), count: draw(3) ? 1 : 12 }));
    case 'runs':
      return inRuns(1300, () => ({ byte: 65 + draw(3), count: 1 + draw(40) }));
    case 'qualities': {
      let quality = 30;
      return Uint8Array.from({ length: 601 }, () => {
        quality = Math.max(2, Math.min(40, quality + draw(5) - 2));
        return quality;
      });
    }
    case 'positions':
      return ascending(draw);
    case 'noise':
      return Uint8Array.from({ length: 256 }, () => draw(256));
    case 'constant':
      return new Uint8Array(100).fill(65);
    case 'records':
      return records(draw);
    case 'names':
      return names(draw);
    case 'flags':
      return Uint8Array.from({ length: 200 }, () => (draw(5) ? 0 : 1));
  }
}

/** Returns the qualities of records of 30 bases. Some records repeat the one before them. */
function records(draw: (limit: number) => number): Uint8Array {
  const bytes = new Uint8Array(30 * 20);
  for (let at = 0; at < bytes.length; at++) {
    if (at % 30 === 0 && at > 0 && draw(4) === 0) {
      bytes.copyWithin(at, at - 30, at);
      at += 29;
    } else bytes[at] = [2, 11, 25, 37][Math.min(draw(4), draw(5))] ?? 2;
  }
  return bytes;
}

/** Returns names, each followed by a NUL: of one pattern with growing numbers, repeated ones, and others. */
function names(draw: (limit: number) => number): Uint8Array {
  let position = 998;
  let name = '';
  const all = Array.from({ length: 40 }, (_, index) => {
    position += draw(90);
    if (index % 10 === 9) name = `x${String(draw(1000)).padStart(5, '0')}.${'ab-c'.slice(draw(3))}`;
    else if (draw(5) > 0) name = `I1:${draw(3)}:0${String(index).padStart(3, '0')}:${position}/${1 + (index % 2)}`;
    return `${name}\0`;
  });
  return new TextEncoder().encode(all.join(''));
}

/** Returns ascending 32-bit numbers, and two more bytes. */
function ascending(draw: (limit: number) => number): Uint8Array {
  const bytes = new Uint8Array(4 * 55 + 2);
  const view = new DataView(bytes.buffer);
  let position = 1000;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    position += draw(300);
    view.setUint32(at, position, true);
  }
  return bytes;
}

function inRuns(length: number, next: () => { readonly byte: number; readonly count: number }): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const { byte, count } = next();
    bytes.fill(byte, at, at + count);
    at += count;
  }
  return bytes;
}

/** Creates a generator of integers below a limit (mulberry32). */
function createDraw(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
