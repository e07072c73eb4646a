import { invalidData } from '../format-error.js';
import type { DictionaryEntry } from '../vcf/variant-header.js';

const [TAB, COLON, COMMA, SLASH, PIPE] = [0x09, 0x3a, 0x2c, 0x2f, 0x7c];

/** How the values of a key are stored. */
export type Kind = 'genotype' | 'integer' | 'float' | 'text';

/** A key of FORMAT, and the space that its values take. */
export interface FormatField {
  readonly index: number;
  readonly kind: Kind;
  /** The most values, alleles or bytes of a sample. */
  width: number;
  /** The offset of the values in the memory, in elements of 4 bytes. */
  start: number;
}

/** Sets the widths of the fields of `sampleCount` samples, whose columns are [start, end). */
export function measureFields(
  fields: readonly FormatField[],
  sampleCount: number,
  { bytes, start, end }: { readonly bytes: Uint8Array; readonly start: number; readonly end: number },
): void {
  for (const field of fields) field.width = 0;
  let at = start;
  for (let sample = 0; sample < sampleCount; sample++, at++) {
    if (at > end) {
      throw invalidData(`record has ${sample} samples, but the header ${sampleCount}`, start);
    }
    for (let index = 0; ; index++, at++) {
      const field = fields[index];
      if (field === undefined) throw invalidData('sample has more values than FORMAT has keys', at);
      const valueStart = at;
      let commas = 0;
      let phases = 0;
      let byte = bytes[at];
      for (; at < end && byte !== COLON && byte !== TAB; byte = bytes[++at]) {
        if (byte === COMMA) commas++;
        else if ((byte === SLASH || byte === PIPE) && at > valueStart) phases++;
      }
      const width = widthOf(field.kind, { commas, phases, length: at - valueStart, isFirst: index === 0 });
      if (width > field.width) field.width = width;
      if (at >= end || byte === TAB) break;
    }
  }
}

/** Returns how the values of a key are stored. Throws `FormatError` `INVALID_DATA` for a key that the header does not declare. */
export function kindOf(entry: DictionaryEntry | undefined, at: number): Kind {
  if (entry?.format === undefined) throw invalidData('header does not declare a key of FORMAT', at);
  const { type } = entry.format;
  if (type === 'Flag') throw invalidData('key of FORMAT has the type Flag', at);
  if (type === 'Integer') return 'integer';
  if (type === 'Float') return 'float';
  return entry.name === 'GT' ? 'genotype' : 'text';
}

/** The parts of a value that determine its width. */
interface ValueShape {
  readonly commas: number;
  readonly phases: number;
  readonly length: number;
  /** Whether the value is the first one of its sample. */
  readonly isFirst: boolean;
}

/** Returns the elements that a value takes. A text that is not the first value takes a byte more, as in htslib. */
function widthOf(kind: Kind, { commas, phases, length, isFirst }: ValueShape): number {
  if (kind === 'genotype') return phases + 1;
  if (kind === 'text') return isFirst ? length : length + 1;
  return commas + 1;
}
