import { FormatError, invalidData, relocateError } from '../../format-error.js';
import { columnAfter, findFormatKey, valueStart } from './format-text.js';
import { GenotypeCall, UNKNOWN_ALLELE } from './genotype-call.js';
import type { GenotypeRows } from './genotype-matrix.js';
import { parseGenotypeText } from './genotype-text.js';
import type { SampleSelection } from './sample-selection.js';

const [TAB, SLASH, COLON, PIPE] = [0x09, 0x2f, 0x3a, 0x7c];
/** `0/0` and a tab as a little-endian number, and the bits that are equal in all diploid calls of alleles below 8. */
const HOMOZYGOUS = 0x0930_2f30;
const FORM_MASK = 0x00f8_fff8;
const ALLELE_MASK = 7;
/** The difference of `|` from `/`, and that of a colon from a tab. */
const PHASED_FORM = (PIPE ^ SLASH) << 8;
const COLON_FORM = COLON ^ TAB;
/** The difference of `./.` from `0/0`, and the bits of both. */
const UNKNOWN_CALL = 0x001e_001e;
const CALL_MASK = 0x00ff_ffff;
/** Differs from all diploid calls. */
const OTHER_CALL = -1;
/** The key of the genotype. */
const GT = Uint8Array.of(0x47, 0x54);

/** The samples of a line. */
interface SampleColumns {
  readonly formatStart: number;
  /** The end of the line without its line end. */
  readonly end: number;
  /** The index of GT among the keys of FORMAT. */
  readonly index: number;
}

/** Reads GT from lines of VCF, byte by byte. The results are those of `VcfVariantRecord.genotype`. */
export class VcfGenotypes {
  readonly #rows: GenotypeRows;
  readonly #samples: Int32Array;
  readonly #call = new GenotypeCall();
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(this.#bytes.buffer);

  /** The column to read next, and where it begins. */
  #column = 0;
  #at = 0;

  constructor(rows: GenotypeRows, { samples }: Pick<SampleSelection, 'samples'>) {
    this.#rows = rows;
    this.#samples = samples;
  }

  /**
   * Adds a row for the line whose column FORMAT begins at `formatStart` and whose content ends at `end`. Returns false if the batch
   * must be taken first. Throws `FormatError` `INVALID_DATA` if the line lacks a sample, and `LIMIT_EXCEEDED` for more than 1,024
   * alleles of a sample and for numbers over 32,767.
   */
  add(bytes: Uint8Array, formatStart: number, end: number): boolean {
    const index = findFormatKey(bytes, { key: GT, start: formatStart, end });
    if (index === -1) {
      this.#rows.skip();
      return true;
    }
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    if (!this.#readRow({ formatStart, end, index })) return false;
    this.#rows.end();
    return true;
  }

  /** Reads the calls of a line: those that `#readDiploid` leaves out one by one. */
  #readRow(line: SampleColumns): boolean {
    const { formatStart, end } = line;
    const first = this.#rows.begin();
    this.#column = 0;
    this.#at = columnAfter(this.#view, formatStart, end);
    for (;;) {
      this.#readDiploid(line, first);
      const column = this.#column++;
      const sample = this.#samples[column];
      if (sample === undefined) return true;
      if (this.#at > end) throw invalidData(`record lacks sample ${column}`, formatStart);
      if (!this.#readCall(line, first + sample)) return false;
    }
  }

  /**
   * Reads calls until one does not have two alleles of one digit: most do. Their four bytes are compared and converted at once, and
   * the memory of the alleles is the same for all, which takes 0.6 of the time of a loop over all calls.
   */
  #readDiploid({ end, index }: SampleColumns, first: number): void {
    const [view, samples] = [this.#view, this.#samples];
    const { alleles, phased, stride } = this.#rows;
    const lastWord = index === 0 && stride === 2 ? end - 4 : -1;
    let column = this.#column;
    let at = this.#at;
    for (; column < samples.length; column++) {
      const sample = samples[column] ?? -1;
      if (sample === -1) {
        at = columnAfter(view, at, end);
        continue;
      }
      const call = first + sample;
      const word = at <= lastWord ? view.getInt32(at, true) ^ HOMOZYGOUS : OTHER_CALL;
      const form = word & FORM_MASK;
      const next = word >>> 24;
      if (next !== 0 && next !== COLON_FORM) break;
      if (form === 0 || form === PHASED_FORM) {
        alleles[2 * call] = word & ALLELE_MASK;
        alleles[2 * call + 1] = (word >> 16) & ALLELE_MASK;
        if (form !== 0) phased[call >> 3] = (phased[call >> 3] ?? 0) | (1 << (call & 7));
      } else if ((word & CALL_MASK) === UNKNOWN_CALL) {
        alleles[2 * call] = UNKNOWN_ALLELE;
        alleles[2 * call + 1] = UNKNOWN_ALLELE;
      } else break;
      at = next === 0 ? at + 4 : columnAfter(view, at + 4, end);
    }
    this.#column = column;
    this.#at = at;
  }

  /** Reads a call of any form. Returns false if the batch has no room for it. */
  #readCall({ end, index }: SampleColumns, call: number): boolean {
    const [parsed, bytes, at] = [this.#call, this.#bytes, this.#at];
    const valueEnd = parseGenotypeText(parsed, bytes, valueStart(bytes, { start: at, end, index }), end);
    this.#at = columnAfter(this.#view, valueEnd, end);
    try {
      return this.#rows.put(call, parsed);
    } catch (error) {
      throw error instanceof FormatError ? relocateError(error, at) : error;
    }
  }
}
