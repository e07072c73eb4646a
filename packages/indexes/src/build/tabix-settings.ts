import type { TabixHeader } from '../binning/tabix-header.js';
import type { ByteWriter } from './byte-writer.js';

/** How the lines of a text are read. */
export type TabixSettings = Omit<TabixHeader, 'names'>;

/** What is written of a text: its names as they are read, or as bytes, which need not be UTF-8. */
export type WrittenTabixHeader = TabixSettings & { readonly names: readonly (string | Uint8Array)[] };

/** Formats that tabix has settings for. */
export type TabixFormat = 'gff' | 'bed' | 'sam' | 'vcf';

const HASH = 0x23;
const AT_SIGN = 0x40;
const GENERIC = { preset: 'generic', metaCharacter: HASH, skippedLines: 0 } as const;

/** The settings of tabix's presets. */
export const TABIX_SETTINGS: Readonly<Record<TabixFormat, TabixSettings>> = {
  gff: { ...GENERIC, isZeroBased: false, sequenceColumn: 1, startColumn: 4, endColumn: 5 },
  bed: { ...GENERIC, isZeroBased: true, sequenceColumn: 1, startColumn: 2, endColumn: 3 },
  sam: {
    ...GENERIC,
    preset: 'SAM',
    isZeroBased: false,
    sequenceColumn: 3,
    startColumn: 4,
    endColumn: 0,
    metaCharacter: AT_SIGN,
  },
  vcf: { ...GENERIC, preset: 'VCF', isZeroBased: false, sequenceColumn: 1, startColumn: 2, endColumn: 0 },
};

const PRESET_NUMBERS = { generic: 0, SAM: 1, VCF: 2 };
const ZERO_BASED_FLAG = 0x10000;
/** Ends a name. */
const NUL = Uint8Array.of(0);

/** Writes the settings and names as TBI has them behind the count of references, and CSI as its auxiliary data. */
export function writeTabixHeader(writer: ByteWriter, { names, ...settings }: WrittenTabixHeader): void {
  const encoder = new TextEncoder();
  const encoded = names.map((name) => (typeof name === 'string' ? encoder.encode(name) : name));
  writer.int32(PRESET_NUMBERS[settings.preset] + (settings.isZeroBased ? ZERO_BASED_FLAG : 0));
  writer.int32(settings.sequenceColumn);
  writer.int32(settings.startColumn);
  writer.int32(settings.endColumn);
  writer.int32(settings.metaCharacter);
  writer.int32(settings.skippedLines);
  writer.int32(encoded.reduce((byteLength, name) => byteLength + name.length + NUL.length, 0));
  for (const name of encoded) {
    writer.append(name);
    writer.append(NUL);
  }
}
