import { normalizeSequence, SequenceDigester } from '@htskit/digest';
import { type ByteSource, toByteStream } from '@htskit/io';
import { checkBaseRange } from '../base-range.js';
import type { BaseRange, NamedSequence, SequenceMetadata } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { type Alphabet, packedRange, unpackLetters } from './alphabet.js';

export interface RgstoreSequenceOptions {
  readonly name: string;
  readonly metadata: SequenceMetadata;
  readonly data: ByteSource;
  readonly alphabet: Alphabet;
}

/** Letters of one read of a stream; a multiple of 8, so that every read begins at a byte. */
const CHUNK_LETTERS = 2 ** 18;

/**
 * One sequence of a RefgetStore. What is stored there may be other letters than the digest is of: it is digested when bases
 * are first asked for, and again when the file has changed, and gives none unless it is what it is called. Fails with
 * DIGEST_MISMATCH otherwise.
 */
export function rgstoreSequence(options: RgstoreSequenceOptions): NamedSequence {
  const { name, metadata } = options;
  let verified: { readonly version: string | undefined; readonly digested: Promise<void> } | undefined;
  /** The version that has been digested. Without the signal of a request: others may be waiting for the same. */
  const verify = async (): Promise<string | undefined> => {
    const { version } = await options.data.stat();
    const known = verified;
    const isKnown = known !== undefined && known.version === version;
    const current = isKnown ? known : { version, digested: digest(options, version) };
    verified = current;
    await current.digested.catch((error: unknown) => {
      // A mismatch stays one until the file is another; other failures may pass.
      if (!(error instanceof SequenceSourceError) && verified === current) verified = undefined;
      throw error;
    });
    return version;
  };
  const streamBases = async function* (range: BaseRange, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    yield* readChunks(options, { range, signal, version: await verify() });
  };
  return {
    name,
    metadata,
    async read(range, { signal } = {}) {
      checkBaseRange(range, metadata.length);
      return readLetters(options, { range, signal, version: await verify() });
    },
    stream(range, { signal } = {}) {
      checkBaseRange(range, metadata.length);
      return toByteStream(streamBases(range, signal));
    },
  };
}

interface LetterRead {
  readonly range: BaseRange;
  readonly signal?: AbortSignal | undefined;
  readonly version: string | undefined;
}

/** Fails with DIGEST_MISMATCH unless this version has the digests. */
async function digest(options: RgstoreSequenceOptions, version: string | undefined): Promise<void> {
  const { metadata } = options;
  const digester = new SequenceDigester();
  for await (const letters of readChunks(options, { range: { start: 0, end: metadata.length }, version })) {
    digester.update(letters);
  }
  const { md5, sha512t24u } = digester.digest();
  if (md5 === metadata.md5 && sha512t24u === metadata.sha512t24u) return;
  throw mismatch('a stored sequence is not the one that its digests are of');
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
  if (packed.length !== bytes.end - bytes.start) throw mismatch('a stored sequence is shorter than it should be');
  const letters = normalizeSequence(unpackLetters(packed, alphabet, range));
  if (letters.length === range.end - range.start) return letters;
  throw mismatch('a stored sequence has other symbols than letters');
}

function mismatch(message: string): SequenceSourceError {
  return new SequenceSourceError('DIGEST_MISMATCH', message, { offset: 0 });
}
