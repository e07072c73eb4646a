import { appendBytes } from '../columns/growing-column.js';
import { invalidData } from '../format-error.js';
import { appendText, type GrowingInfo } from '../vcf/columns/growing-info.js';
import type { GrowingTexts, VariantSite } from '../vcf/columns/variant-site.js';
import type { GenotypeRows } from '../vcf/genotypes/genotype-matrix.js';
import type { SampleSelection } from '../vcf/genotypes/sample-selection.js';
import type { VariantHeader } from '../vcf/variant-header.js';
import { BcfGenotypes } from './bcf-genotypes.js';
import { type BcfRecordSpan, BcfRecords, LENGTHS_BYTES, RECORD_FIELDS } from './record.js';
import { CHARACTER, FLOAT_MISSING, TypedValueReader } from './typed-value.js';
import { readNumbers, textEnd } from './value-vector.js';

/** Offsets of the fields of a record (VCFv4.3 §6.3.1). */
const [QUAL, VALUES_START] = [20, 32];
const [MISSING_CHARACTER, DOT] = [0x07, 0x2e];
const [SEMICOLON, MISSING_TEXT] = [Uint8Array.of(0x3b), Uint8Array.of(DOT)];

/** A record of a BCF file as columns need it. */
export class BcfSite implements VariantSite {
  readonly #header: VariantHeader;
  readonly #genotypes: BcfGenotypes;
  #bytes: Uint8Array = new Uint8Array(0);
  #records = new BcfRecords(this.#bytes);
  #view: DataView = new DataView(this.#bytes.buffer);
  #values: TypedValueReader = new TypedValueReader(this.#view);
  #at = 0;
  #span: BcfRecordSpan = { byteEnd: 0, referenceId: 0, baseStart: 0, baseEnd: 0 };

  constructor(header: VariantHeader, rows: GenotypeRows, samples: SampleSelection) {
    this.#header = header;
    this.#genotypes = new BcfGenotypes(rows, samples, header);
  }

  enter(bytes: Uint8Array, offset: number): void {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#records = new BcfRecords(bytes, this.#header);
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      this.#values = new TypedValueReader(this.#view);
    }
    this.#at = offset;
    this.#span = this.#records.spanAt(offset);
  }

  get byteEnd(): number {
    return this.#span.byteEnd;
  }

  get referenceId(): number {
    const { referenceId } = this.#span;
    if (this.#header.contigs.entries[referenceId] === undefined)
      throw invalidData(`header does not declare number ${referenceId}`, this.#at);
    return referenceId;
  }

  get start(): number {
    return this.#span.baseStart;
  }

  get end(): number {
    // A telomere counts as on the first base, as in the filters.
    return Math.max(1, this.#span.baseEnd);
  }

  get quality(): number | null {
    const at = this.#at + QUAL;
    return this.#view.getUint32(at, true) === FLOAT_MISSING ? null : this.#view.getFloat32(at, true);
  }

  pushId(list: GrowingTexts): void {
    const values = this.#enterSite(0);
    values.read();
    if (values.count === 0) list.end(false);
    else this.#passText((bytes, start, end) => appendText(list, bytes, start, end));
  }

  pushAlleles(list: GrowingTexts): number {
    const count = this.#alleleCount;
    if (count === 0) throw invalidData('record has no REF', this.#at);
    const values = this.#enterSite(1);
    for (let i = 0; i < count; i++) {
      values.read();
      this.#passText((bytes, start, end) => appendBytes(list.values, bytes, start, end));
      list.end();
    }
    return count;
  }

  pushFilters(list: GrowingTexts): void {
    const values = this.#enterSite(1 + this.#alleleCount);
    values.read();
    const names = readNumbers(this.#view, values).map((index) => {
      const entry = this.#header.strings.entries[index ?? -1];
      if (entry === undefined) throw invalidData(`header does not declare number ${index}`, this.#at);
      return entry.bytes;
    });
    for (const [i, name] of names.entries()) {
      if (i > 0) appendBytes(list.values, SEMICOLON, 0, 1);
      appendBytes(list.values, name, 0, name.length);
    }
    list.end(names.length > 0);
  }

  pushInfo(name: string, column: GrowingInfo): void {
    const key = this.#header.strings.byName.get(name)?.index;
    const values = this.#enterSite(2 + this.#alleleCount);
    for (let left = this.#view.getUint16(this.#at + RECORD_FIELDS.infoCount, true); left > 0; left--) {
      const isFound = values.readInteger() === key;
      values.read();
      if (!isFound) continue;
      if (values.count === 0) column.pushPresent();
      else if (values.type === CHARACTER) this.#passText((bytes, start, end) => column.pushText(bytes, start, end));
      else column.pushNumbers(readNumbers(this.#view, values));
      return;
    }
    column.pushMissing();
  }

  get #alleleCount(): number {
    return this.#view.getUint16(this.#at + RECORD_FIELDS.alleleCount, true);
  }

  /** Enters the values of the shared part after the first `count`: ID, the alleles, FILTER. */
  #enterSite(count: number): TypedValueReader {
    const values = this.#values;
    values.enter(this.#at + VALUES_START, this.#at + LENGTHS_BYTES + this.#view.getUint32(this.#at, true));
    for (let i = 0; i < count; i++) values.skip();
    return values;
  }

  /** Passes on the text that was read last, with dots for missing characters, as in VCF. */
  #passText(push: (bytes: Uint8Array, start: number, end: number) => void): void {
    const { type, start, count } = this.#values;
    if (type !== CHARACTER) throw invalidData('value is not a text', start);
    const end = textEnd(this.#bytes, this.#values);
    if (count === 0) push(MISSING_TEXT, 0, 1);
    else if (hasMissingCharacter(this.#bytes, start, end))
      push(
        this.#bytes.slice(start, end).map((byte) => (byte === MISSING_CHARACTER ? DOT : byte)),
        0,
        end - start,
      );
    else push(this.#bytes, start, end);
  }

  addGenotypes(): boolean {
    return this.#genotypes.add(this.#bytes, this.#at, this.byteEnd);
  }
}

function hasMissingCharacter(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] === MISSING_CHARACTER) return true;
  return false;
}
