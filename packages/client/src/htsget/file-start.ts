import { BgzfError, EOF_MARKER } from '@htskit/bgzf';
import type { RangeInflater } from '@htskit/bgzf/internal';
import { concatBytes, peek, toHex } from '@htskit/io';
import type { HtsgetFormat } from '@htskit/protocol';
import { loadInflater } from '#lazy-inflater';
import { HtsgetClientError } from '../client-error.js';

/** A format that the first bytes show. */
type StartFormat = HtsgetFormat | 'Crypt4GH';

/** The first bytes of a file; those of BAM, BCF and compressed VCF are the first of the uncompressed data. */
const MAGIC: Readonly<Record<StartFormat, string>> = {
  BAM: 'BAM\u0001',
  CRAM: 'CRAM',
  SAM: '@',
  VCF: '##fileformat=VCF',
  VCFTEXT: '##fileformat=VCF',
  BCF: 'BCF\u0002',
  Crypt4GH: 'crypt4gh',
};
const GZIP_MAGIC = '\u001f\u008b';
/** BGZF: gzip with an extra field (SAMv1 §4.1). */
const BGZF_MAGIC = String.fromCharCode(...EOF_MARKER.subarray(0, 4));
/** More bytes than any of these has. */
const START_BYTES = 16;
/** Formats in BGZF blocks. */
const BLOCK_FORMATS: readonly StartFormat[] = ['BAM', 'VCF', 'BCF'];

/** Checks the first bytes of a download. A service may send those of another format, or an error page. */
export class FileStart {
  readonly #format: StartFormat;
  #blocks: RangeInflater | undefined;
  #bytes: Uint8Array = new Uint8Array();
  #data: Uint8Array = new Uint8Array();
  #isProven = false;

  constructor(format: StartFormat) {
    this.#format = format;
  }

  /** The first bytes of the file, as they arrived: at most 16. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Whether the file consists of BGZF blocks. */
  get isBgzf(): boolean {
    return isPrefix(this.#bytes, BGZF_MAGIC);
  }

  /** Adds the next bytes. Throws WRONG_FORMAT as soon as they cannot be of the format. */
  async push(chunk: Uint8Array): Promise<void> {
    if (this.#isProven) return;
    this.#bytes = extend(this.#bytes, chunk);
    const isBlocks = isPrefix(this.#bytes, BGZF_MAGIC);
    if (isBlocks && BLOCK_FORMATS.includes(this.#format)) {
      await this.#inflate(chunk);
      this.#isProven = this.#matches(this.#data, MAGIC[this.#format]);
    } else if (this.#format === 'VCF') {
      // It may also be gzip without blocks or, although that is deprecated, plain text (htsget 1.3.1, "format").
      const isGzip = isPrefix(this.#bytes, GZIP_MAGIC);
      this.#isProven = this.#matches(this.#bytes, isGzip ? GZIP_MAGIC : MAGIC.VCF);
    } else {
      const isStored = !BLOCK_FORMATS.includes(this.#format);
      this.#isProven = this.#matches(this.#bytes, isStored ? MAGIC[this.#format] : BGZF_MAGIC);
    }
  }

  /** Ends the bytes. Throws TRUNCATED if they are too few to show their format. */
  finish(): void {
    if (this.#isProven) return;
    throw new HtsgetClientError('TRUNCATED', `the ${this.#format} file ends before its header`);
  }

  async #inflate(chunk: Uint8Array): Promise<void> {
    this.#blocks ??= await loadInflater();
    try {
      for (const { data } of this.#blocks.push(chunk)) this.#data = extend(this.#data, peek(data));
    } catch (cause) {
      if (!(cause instanceof BgzfError)) throw cause;
      throw new HtsgetClientError('WRONG_FORMAT', `the answer is not ${this.#format}: ${cause.message}`, { cause });
    }
  }

  /** Returns whether there are enough bytes to show that they begin so. Throws WRONG_FORMAT if they do not. */
  #matches(bytes: Uint8Array, magic: string): boolean {
    if (isPrefix(bytes, magic)) return bytes.length >= magic.length;
    const found = toHex(bytes.subarray(0, magic.length)).replace(/..(?=.)/g, '$& ');
    throw new HtsgetClientError('WRONG_FORMAT', `the answer is not ${this.#format}: it starts with ${found}`);
  }
}

/** Returns the first bytes of both. */
function extend(start: Uint8Array, chunk: Uint8Array): Uint8Array {
  return start.length < START_BYTES ? concatBytes([start, chunk.subarray(0, START_BYTES - start.length)]) : start;
}

/** Returns whether bytes begin with a text, as far as there are bytes. */
function isPrefix(bytes: Uint8Array, text: string): boolean {
  return bytes.subarray(0, text.length).every((byte, index) => byte === text.charCodeAt(index));
}
