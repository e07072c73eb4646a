import { decodeText, encodeText } from '@htskit/io';
import { NumberReader } from '../../bytes/number-reader.js';
import { appendBytes } from '../../columns/growing-column.js';
import { FormatError, invalidData, relocateError } from '../../format-error.js';
import type { GenotypeRows } from '../genotypes/genotype-matrix.js';
import type { SampleSelection } from '../genotypes/sample-selection.js';
import { VcfGenotypes } from '../genotypes/vcf-genotypes.js';
import { ALT, CHROM, FILTER, FORMAT, ID, INFO, POS, QUAL, REF, VcfLine } from '../line-columns.js';
import { parseVcfRecordSpan } from '../record.js';
import type { Dictionary, VariantHeader } from '../variant-header.js';
import { commaOrEnd } from '../variant-values.js';
import { appendText, type GrowingInfo, isMissingText } from './growing-info.js';
import type { GrowingTexts, VariantSite } from './variant-site.js';

const [SEMICOLON, EQUALS] = [0x3b, 0x3d];
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

  /** The bytes of keys of INFO by their names. */
  readonly #keys = new Map<string, Uint8Array>();

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

  get quality(): number | null {
    const { bytes } = this.#line;
    const [start, end] = [this.#line.start(QUAL), this.#line.columnEnd(QUAL)];
    return isMissingText(bytes, start, end) ? null : numbers.float(bytes, start, end);
  }

  pushId(list: GrowingTexts): void {
    appendText(list, this.#line.bytes, this.#line.start(ID), this.#line.columnEnd(ID));
  }

  pushFilters(list: GrowingTexts): void {
    appendText(list, this.#line.bytes, this.#line.start(FILTER), this.#line.columnEnd(FILTER));
  }

  pushAlleles(list: GrowingTexts): number {
    const { bytes } = this.#line;
    appendBytes(list.values, bytes, this.#line.start(REF), this.#line.columnEnd(REF));
    list.end();
    const [start, end] = [this.#line.start(ALT), this.#line.columnEnd(ALT)];
    let count = 1;
    if (isMissingText(bytes, start, end)) return count;
    for (let at = start; at <= end; count++) {
      const next = commaOrEnd(bytes, at, end);
      appendBytes(list.values, bytes, at, next);
      list.end();
      at = next + 1;
    }
    return count;
  }

  pushInfo(name: string, column: GrowingInfo): void {
    const { bytes } = this.#line;
    const [columnStart, end] = [this.#line.start(INFO), this.#line.columnEnd(INFO)];
    const key = this.#keys.get(name) ?? this.#addKey(name);
    const start = findEntry(bytes, { start: columnStart, end, key });
    if (start === -1) column.pushMissing();
    else if (bytes[start] !== EQUALS || start >= end) column.pushPresent();
    else column.pushText(bytes, start + 1, entryEnd(bytes, start + 1, end));
  }

  #addKey(name: string): Uint8Array {
    const bytes = encodeText(name);
    this.#keys.set(name, bytes);
    return bytes;
  }

  addGenotypes(): boolean {
    return this.#genotypes.add(this.#line.bytes, this.#line.start(FORMAT), this.#line.end);
  }
}

function isEqual(bytes: Uint8Array, start: number, other: Uint8Array): boolean {
  for (let i = 0; i < other.length; i++) if (bytes[start + i] !== other[i]) return false;
  return true;
}

/** Returns the end of a key in the entries [start, end) of INFO; −1 if it is not one of them. */
function findEntry(
  bytes: Uint8Array,
  { start, end, key }: { readonly start: number; readonly end: number; readonly key: Uint8Array },
): number {
  for (let at = start; at < end; at = entryEnd(bytes, at, end) + 1) {
    const keyEnd = at + key.length;
    const isKeyEnd = keyEnd === end || (keyEnd < end && (bytes[keyEnd] === EQUALS || bytes[keyEnd] === SEMICOLON));
    if (isKeyEnd && isEqual(bytes, at, key)) return keyEnd;
  }
  return -1;
}

/** Returns the end of the entry of INFO that contains `at`. */
function entryEnd(bytes: Uint8Array, at: number, end: number): number {
  let to = at;
  while (to < end && bytes[to] !== SEMICOLON) to++;
  return to;
}
