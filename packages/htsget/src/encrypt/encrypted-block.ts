import { crypt4ghOf, encryptSegment, SEGMENT_BYTES, STORED_SEGMENT_BYTES, storedSize } from '@htskit/crypt4gh/internal';
import { type ByteRange, concatBytes, StorageError } from '@htskit/io';
import { sliceChunks } from '@htskit/io/internal';
import { type BlockClaim, type BlockEncryption, type Derive, entityTagOf } from '../block-url/block-claim.js';
import { type BlockStream, type OpenBlockOptions, openBlock } from '../deliver/block-stream.js';
import type { StoredFile } from '../file/stored-file.js';
import { type AnswerKeys, deriveAnswerKeys } from './answer-keys.js';
import { createPadding } from './padding.js';

/** Opens the block of a claim, encrypted or not. */
export function openAnyBlock(
  claim: BlockClaim,
  file: StoredFile,
  { derive, ...options }: OpenBlockOptions & { readonly derive: () => Derive },
): Promise<BlockStream> {
  const { encryption } = claim;
  if (encryption === undefined) return openBlock(claim, file, options);
  return openEncryptedBlock({ ...claim, encryption }, file, { ...options, derive: derive() });
}

type EncryptedClaim = BlockClaim & Required<Pick<BlockClaim, 'encryption'>>;

/**
 * Opens a block of an encrypted answer: stored segments as they are, or its plaintext encrypted anew. Throws what `openBlock`
 * throws, and `StorageError` CHANGED if the plaintext has another length now than the ticket says.
 */
async function openEncryptedBlock(
  claim: EncryptedClaim,
  file: StoredFile,
  options: OpenBlockOptions & { readonly derive: Derive },
): Promise<BlockStream> {
  const { encryption, ...plainClaim } = claim;
  if (encryption.isStored === true) return openStoredSegments(claim, file, options);
  const keys = deriveAnswerKeys(options.derive, claim);
  const plain = await openBlock(plainClaim, file, { ...options, isSlice: true });
  const { compressionLevel, loader } = options;
  // Other keys make other bytes.
  const tagged = { ...claim, encryption: { ...encryption, recipient: keys.fingerprint } };
  const entityTag = entityTagOf(tagged, { compressionLevel, program: loader.program });
  return new EncryptedBlock(plain, { encryption, keys, entityTag, key: file.data.key });
}

async function openStoredSegments(
  claim: EncryptedClaim,
  file: StoredFile,
  options: OpenBlockOptions,
): Promise<BlockStream> {
  const [segment] = claim.segments;
  const encryptedFile = await crypt4ghOf(file.data)?.openFile({ version: claim.version, signal: options.signal });
  if (encryptedFile === undefined || segment?.kind !== 'range') {
    throw new StorageError('CHANGED', 'the file is not encrypted any more', { key: file.data.key });
  }
  const { stored, layout } = encryptedFile;
  const range = layout.storedRange(Math.floor(segment.start / SEGMENT_BYTES), Math.ceil(segment.end / SEGMENT_BYTES));
  const storedClaim: BlockClaim = { ...claim, segments: [{ ...segment, ...range }] };
  return openBlock(storedClaim, { ...file, data: stored }, { ...options, isSlice: true });
}

interface BlockCipher {
  readonly encryption: BlockEncryption;
  readonly keys: AnswerKeys;
  readonly entityTag: string | undefined;
  /** The key of the source. */
  readonly key: string;
}

/** The plaintext of a block in segments, which are encrypted while they are sent. */
class EncryptedBlock implements BlockStream {
  readonly byteLength: number | undefined;
  readonly entityTag: string | undefined;
  readonly checkVersion: () => Promise<void>;
  readonly #plain: BlockStream;
  readonly #cipher: BlockCipher;

  constructor(plain: BlockStream, cipher: BlockCipher) {
    this.#plain = plain;
    this.#cipher = cipher;
    this.entityTag = cipher.entityTag;
    this.checkVersion = plain.checkVersion;
    const { byteLength } = plain;
    if (byteLength === undefined) return;
    this.#checkLength(byteLength);
    this.byteLength = storedSize(byteLength + this.#padding(byteLength).length);
  }

  readonly bytes = (range?: ByteRange): AsyncGenerator<Uint8Array, void> => {
    const { byteLength } = this.#plain;
    if (range === undefined || byteLength === undefined) return this.#encrypt(this.#padded());
    const first = Math.floor(range.start / STORED_SEGMENT_BYTES);
    const start = first * SEGMENT_BYTES;
    const end = Math.ceil(range.end / STORED_SEGMENT_BYTES) * SEGMENT_BYTES;
    const skipped = first * STORED_SEGMENT_BYTES;
    return sliceChunks(this.#encrypt(this.#paddedRange({ start, end }, byteLength)), {
      start: range.start - skipped,
      end: range.end - skipped,
    });
  };

  async *#padded(): AsyncGenerator<Uint8Array, void> {
    let byteLength = 0;
    for await (const chunk of this.#plain.bytes()) {
      byteLength += chunk.length;
      yield chunk;
    }
    this.#checkLength(byteLength);
    yield this.#padding(byteLength);
  }

  async *#paddedRange({ start, end }: ByteRange, byteLength: number): AsyncGenerator<Uint8Array, void> {
    yield* this.#plain.bytes({ start: Math.min(start, byteLength), end: Math.min(end, byteLength) });
    yield this.#padding(byteLength).subarray(Math.max(0, start - byteLength), Math.max(0, end - byteLength));
  }

  #padding(byteLength: number): Uint8Array {
    const { padding } = this.#cipher.encryption;
    return concatBytes(padding === undefined ? [] : createPadding(byteLength, padding));
  }

  /** The edit list of the ticket holds only for this length. */
  #checkLength(byteLength: number): void {
    const { encryption, key } = this.#cipher;
    if (encryption.plainBytes === undefined || encryption.plainBytes === byteLength) return;
    throw new StorageError('CHANGED', `expected ${encryption.plainBytes} bytes of plaintext, found ${byteLength}`, {
      key,
    });
  }

  async *#encrypt(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const segment = new Uint8Array(SEGMENT_BYTES);
    let filled = 0;
    for await (const chunk of chunks) {
      for (let offset = 0; offset < chunk.length; ) {
        const taken = Math.min(SEGMENT_BYTES - filled, chunk.length - offset);
        segment.set(chunk.subarray(offset, offset + taken), filled);
        filled += taken;
        offset += taken;
        if (filled < SEGMENT_BYTES) continue;
        yield this.#encryptSegment(segment);
        filled = 0;
      }
    }
    if (filled > 0) yield this.#encryptSegment(segment.subarray(0, filled));
  }

  #encryptSegment(plaintext: Uint8Array): Uint8Array {
    const { keys } = this.#cipher;
    return encryptSegment(plaintext, keys.dataKey, keys.nonceOf(plaintext));
  }
}
