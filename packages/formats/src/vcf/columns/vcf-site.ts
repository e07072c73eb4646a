import { decodeText } from '@htskit/io';
import { NumberReader } from '../../bytes/number-reader.js';
import { FormatError, invalidData, relocateError } from '../../format-error.js';
import type { GenotypeRows } from '../genotypes/genotype-matrix.js';
import type { SampleSelection } from '../genotypes/sample-selection.js';
import { VcfGenotypes } from '../genotypes/vcf-genotypes.js';
import { CHROM, FORMAT, POS, VcfLine } from '../line-columns.js';
import { parseVcfRecordSpan } from '../record.js';
import type { Dictionary, VariantHeader } from '../variant-header.js';
import type { VariantSite } from './growing-variants.js';

const UNKNOWN_CONTIG = -1;
const numbers = new NumberReader();

/** A line of a VCF file as columns need it. */
export class VcfSite implements VariantSite {
  readonly #line = new VcfLine();
  readonly #contigs: Dictionary;
  readonly #genotypes: VcfGenotypes;
  /** The name and the number of the contig that was looked up last: most lines have that of the line before. */
  #contigName: Uint8Array = new Uint8Array(0);
  #contigId = UNKNOWN_CONTIG;

  constructor(header: VariantHeader, rows: GenotypeRows, samples: SampleSelection) {
    this.#contigs = header.contigs;
    this.#genotypes = new VcfGenotypes(rows, samples);
  }

  enter(bytes: Uint8Array, offset: number): void {
    this.#line.enter(bytes, offset);
  }

  get byteEnd(): number {
    return this.#line.byteEnd;
  }

  get referenceId(): number {
    const line = this.#line;
    const [start, end] = [line.start(CHROM), line.columnEnd(CHROM)];
    if (!isEqual(line.bytes, start, this.#contigName) || this.#contigName.length !== end - start) {
      this.#contigName = line.bytes.slice(start, end);
      this.#contigId = this.#contigs.byName.get(decodeText(this.#contigName))?.index ?? UNKNOWN_CONTIG;
    }
    return this.#contigId;
  }

  get start(): number {
    const at = this.#line.start(POS);
    const position = numbers.integer(this.#line.bytes, at);
    if (numbers.end === at) throw invalidData('POS is not an integer', at);
    return position - 1;
  }

  get end(): number {
    const line = this.#line;
    const start = line.start(CHROM);
    try {
      return parseVcfRecordSpan(line.bytes.subarray(start, line.end)).baseEnd;
    } catch (error) {
      throw error instanceof FormatError ? relocateError(error, start) : error;
    }
  }

  addGenotypes(): boolean {
    return this.#genotypes.add(this.#line.bytes, this.#line.start(FORMAT), this.#line.end);
  }
}

function isEqual(bytes: Uint8Array, start: number, other: Uint8Array): boolean {
  for (let i = 0; i < other.length; i++) if (bytes[start + i] !== other[i]) return false;
  return true;
}
