import { type SequenceCharacters, SequenceDigester } from '@htskit/digest';
import { normalizeInPlace } from '@htskit/digest/internal';
import type { ByteRange, ByteSource } from '@htskit/io';
import { type BaseRange, type NamedSequence, type SequenceMetadata, toSequence } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';

/** How letters are packed: each takes `bits` bits, the first letter in the highest bits of a byte. */
export interface Alphabet {
  readonly bits: number;
  /** The letter of each code. */
  readonly letters: Uint8Array;
}

/** The alphabets of encoded RefgetStores by name (gtars-refget). Any other name means text. */
const CODES: Readonly<Record<string, readonly [bits: number, letters: string]>> = {
  dna2bit: [2, 'TCAG'],
  dna3bit: [3, 'ACGTNRYX'],
  dnaio: [4, 'NACMGRSKTWYUBDHV'],
  protein: [5, 'ACDEFGHIKLMNPQRSTVWY*X-.UBZOJ'],
};

const TEXT: Alphabet = { bits: 8, letters: Uint8Array.from({ length: 256 }, (_, code) => code) };

const NAMES = Object.keys(CODES);

const ALPHABETS = Object.values(CODES).map(([bits, letters]) => ({ bits, letters: new TextEncoder().encode(letters) }));

/** The number of the alphabet of text. */
export const TEXT_ALPHABET: number = ALPHABETS.length;

/** Returns the number of the alphabet with a lower-case name; unknown names are text. */
export function alphabetNumber(name: string): number {
  const index = NAMES.indexOf(name);
  return index === -1 ? TEXT_ALPHABET : index;
}

/** Returns the alphabet with a number. */
export function alphabetAt(number: number): Alphabet {
  return ALPHABETS[number] ?? TEXT;
}

/** Alphabets of nucleotides, from the shortest codes to the longest. */
const NUCLEOTIDES = ['dna2bit', 'dna3bit', 'dnaio'];
/** D, H and U, which gtars 0.10 unpacks as H, V and T, and V, whose code it reads for two letters. */
const LOST_LETTERS: readonly number[] = [0x44, 0x48, 0x55, 0x56];

/**
 * Returns the alphabet of the shortest codes from which gtars restores all letters. Text is the alphabet of any others, such as
 * those of a protein and of RNA.
 */
export function losslessAlphabet(letters: ReadonlySet<number>): { readonly name: string; readonly alphabet: Alphabet } {
  const isLost = LOST_LETTERS.some((letter) => letters.has(letter));
  for (const name of isLost ? [] : NUCLEOTIDES) {
    const alphabet = alphabetAt(alphabetNumber(name));
    if ([...letters].every((letter) => alphabet.letters.includes(letter))) return { name, alphabet };
  }
  return { name: 'ASCII', alphabet: TEXT };
}

export interface RgstoreSequenceOptions {
  readonly name: string;
  readonly metadata: SequenceMetadata;
  readonly data: ByteSource;
  readonly alphabet: Alphabet;
}

/** gtars digests all characters of a sequence, such as the * of a protein and the - of an alignment. */
const CHARACTERS: SequenceCharacters = 'sam';
/** Letters per read of a stream; a multiple of 8, so that every read begins at a byte. */
const CHUNK_LETTERS = 2 ** 18;

/**
 * Returns one sequence of a RefgetStore. The stored letters may differ from those that were digested, because encoding loses
 * letters. The sequence is therefore digested before its first bases are returned, and again after the file has changed. Reads
 * fail with DIGEST_MISMATCH if the digests differ.
 */
export function rgstoreSequence(options: RgstoreSequenceOptions): NamedSequence {
  const { name, metadata } = options;
  const verify = createVerifier(options);
  return {
    name,
    ...toSequence(metadata, {
      read: async (range, { signal }) => readLetters(options, { range, signal, version: await verify() }),
      async *chunks(range, signal) {
        yield* readChunks(options, { range, signal, version: await verify() });
      },
    }),
  };
}

/** Returns a function that digests each version of the sequence once and resolves to the current version. */
function createVerifier(options: RgstoreSequenceOptions): () => Promise<string | undefined> {
  let verified: { readonly version: string | undefined; readonly digested: Promise<void> } | undefined;
  // Takes no signal of a request, because other requests may wait for the same digest.
  return async () => {
    const { version } = await options.data.stat();
    const known = verified;
    const isKnown = known !== undefined && known.version === version;
    const current = isKnown ? known : { version, digested: checkDigests(options, version) };
    verified = current;
    await current.digested.catch((error: unknown) => {
      // A mismatch lasts as long as the version does; other failures may be transient.
      if (!(error instanceof SequenceSourceError) && verified === current) verified = undefined;
      throw error;
    });
    return version;
  };
}

interface LetterRead {
  readonly range: BaseRange;
  readonly signal?: AbortSignal;
  readonly version: string | undefined;
}

/** Throws DIGEST_MISMATCH unless this version has the digests of the metadata. */
async function checkDigests(options: RgstoreSequenceOptions, version: string | undefined): Promise<void> {
  const { metadata } = options;
  const digester = new SequenceDigester({ characters: CHARACTERS });
  for await (const letters of readChunks(options, { range: { start: 0, end: metadata.length }, version })) {
    digester.update(letters);
  }
  const { md5, sha512t24u } = digester.digest();
  if (md5 === metadata.md5 && sha512t24u === metadata.sha512t24u) return;
  throw mismatch('a stored sequence does not match its digests');
}

async function* readChunks(options: RgstoreSequenceOptions, read: LetterRead): AsyncGenerator<Uint8Array, void> {
  const { end } = read.range;
  for (let start = read.range.start; start < end; start += CHUNK_LETTERS) {
    yield readLetters(options, { ...read, range: { start, end: Math.min(start + CHUNK_LETTERS, end) } });
  }
}

async function readLetters(
  { data, alphabet }: RgstoreSequenceOptions,
  { range, signal, version }: LetterRead,
): Promise<Uint8Array> {
  signal?.throwIfAborted();
  const bytes = packedRange(alphabet, range);
  const packed = await data.read(bytes, { signal, version });
  if (packed.length !== bytes.end - bytes.start) throw mismatch('a stored sequence is shorter than its length');
  const letters = normalizeInPlace(unpackLetters(packed, alphabet, range), CHARACTERS);
  if (letters.length === range.end - range.start) return letters;
  throw mismatch('a stored sequence holds symbols other than printable characters');
}

/** Returns the bytes that hold a range of letters. */
function packedRange({ bits }: Alphabet, { start, end }: BaseRange): ByteRange {
  return { start: Math.floor((start * bits) / 8), end: Math.ceil((end * bits) / 8) };
}

/** Unpacks letters from the bytes of `packedRange`, the first of which may begin with other letters. Unknown codes become 0. */
function unpackLetters(packed: Uint8Array, { bits, letters }: Alphabet, { start, end }: BaseRange): Uint8Array {
  const unpacked = new Uint8Array(end - start);
  const mask = 2 ** bits - 1;
  const skipped = (start * bits) % 8;
  let at = 0;
  let buffer = 0;
  // Bits of the buffer still to unpack; negative as long as the bits before the first letter are skipped.
  let count = -skipped;
  for (let index = 0; index < unpacked.length; index++) {
    while (count < bits) {
      buffer = ((buffer << 8) | (packed[at++] ?? 0)) & 0xffff;
      count += 8;
    }
    count -= bits;
    unpacked[index] = letters[(buffer >>> count) & mask] ?? 0;
  }
  return unpacked;
}

function mismatch(message: string): SequenceSourceError {
  return new SequenceSourceError('DIGEST_MISMATCH', message, { offset: 0 });
}
