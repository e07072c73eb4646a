import { type NameIds, NameTable } from '@htskit/formats/internal';
import { decodeText, encodeText } from '@htskit/io';
import type { Steps } from '@htskit/io/internal';
import { IndexError, quoteName } from '../index-error.js';
import type { ByteWriter } from '../writers/byte-writer.js';

/** The kind of text that `format` of the tabix specification declares. */
type TabixPreset = 'generic' | 'SAM' | 'VCF';

/** How the lines of an indexed text file are read (tabix specification, and the auxiliary data of a CSI). */
export interface TabixHeader {
  readonly preset: TabixPreset;
  /** Whether positions are 0-based and half-open, as in BED. Otherwise they are 1-based and include the end. */
  readonly isZeroBased: boolean;
  /** 1-based columns of the reference name, the start and the end. 0 if there is no such column. */
  readonly sequenceColumn: number;
  readonly startColumn: number;
  readonly endColumn: number;
  /** Lines that begin with this byte are not records. */
  readonly metaCharacter: number;
  /** Number of lines at the start of the file that are not records. */
  readonly skippedLines: number;
  /** Names of the references in the order of their ids. */
  readonly names: readonly string[];
}

/** Bytes from `format` to `l_nm`, inclusive. */
export const TABIX_FIELDS_BYTES = 28;

const PRESETS: readonly TabixPreset[] = ['generic', 'SAM', 'VCF'];
const ZERO_BASED_FLAG = 0x10000;
/** Limit of the number of names that are read or written. Each takes about a hundred bytes of memory. */
export const MAX_NAMES: number = 2 ** 21;

/** A parsed header. */
export interface ParsedTabixHeader {
  readonly header: TabixHeader;
  /** The ids of the names of the header. */
  readonly referenceIds: NameIds;
  readonly byteLength: number;
}

/**
 * Parses the header at `start` and returns it with its length in bytes. Throws `IndexError` TRUNCATED if it extends past
 * `bytes`, INVALID_DATA for an unknown preset, negative numbers, and duplicate or unterminated names, and LIMIT_EXCEEDED for
 * more than 2^21 names.
 */
export function* readTabixHeader(bytes: Uint8Array, start: number): Steps<ParsedTabixHeader> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const left = bytes.length - start;
  if (left < TABIX_FIELDS_BYTES) throw truncated(start, TABIX_FIELDS_BYTES, left);
  const field = (index: number): number => view.getInt32(start + 4 * index, true);
  const format = field(0);
  const preset = PRESETS[format & ~ZERO_BASED_FLAG];
  if (preset === undefined) throw invalid(start, `unknown tabix format ${format}`);
  const [sequenceColumn, startColumn, endColumn] = [field(1), field(2), field(3)];
  const [metaCharacter, skippedLines, namesLength] = [field(4), field(5), field(6)];
  if (Math.min(sequenceColumn, startColumn, endColumn, skippedLines, namesLength) < 0) {
    throw invalid(start, 'a column or a length is negative');
  }
  if (metaCharacter < 0 || metaCharacter > 255)
    throw invalid(start + 16, `the meta character ${metaCharacter} is not a byte`);
  const namesStart = start + TABIX_FIELDS_BYTES;
  if (namesLength > bytes.length - namesStart) throw truncated(namesStart, namesLength, bytes.length - namesStart);
  const nameBytes = new Uint8Array(bytes.subarray(namesStart, namesStart + namesLength));
  const referenceIds = yield* readNames(nameBytes, namesStart);
  const settings = {
    preset,
    isZeroBased: (format & ZERO_BASED_FLAG) !== 0,
    sequenceColumn,
    startColumn,
    endColumn,
    metaCharacter,
    skippedLines,
  };
  const header = withNames(settings, nameBytes);
  return { header, referenceIds, byteLength: TABIX_FIELDS_BYTES + namesLength };
}

/** Adds the names, decoded when they are read. A function of its own, since a closure where `bytes` is in scope keeps them alive. */
function withNames(settings: TabixSettings, nameBytes: Uint8Array): TabixHeader {
  let names: readonly string[] | undefined;
  return {
    ...settings,
    get names() {
      names ??= decodeText(nameBytes).split('\0').slice(0, -1);
      return names;
    },
  };
}

/** Names that are read in one step. */
const STEP_NAMES = 2 ** 14;

/** Numbers the names, each of which ends with a NUL. */
function* readNames(bytes: Uint8Array, offset: number): Steps<NameIds> {
  const table = new NameTable();
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) continue;
    const { nextId } = table;
    if (nextId === MAX_NAMES) {
      throw new IndexError('LIMIT_EXCEEDED', `the index has more than ${MAX_NAMES} names`, { offset: offset + start });
    }
    if (!table.addNew(bytes, start, at)) {
      throw invalid(offset + start, `duplicate name ${quoteName(decodeText(bytes, start, at))}`);
    }
    start = at + 1;
    if (nextId % STEP_NAMES === STEP_NAMES - 1) yield;
  }
  if (start < bytes.length) throw invalid(offset + start, 'the last name has no terminator');
  return table;
}

function truncated(offset: number, expected: number, left: number): IndexError {
  return new IndexError('TRUNCATED', `expected ${expected} bytes, ${left} left`, { offset });
}

function invalid(offset: number, message: string): IndexError {
  return new IndexError('INVALID_DATA', message, { offset });
}

/** How the lines of a text are read: a tabix header without names. */
export type TabixSettings = Omit<TabixHeader, 'names'>;

/** The tabix header that a writer stores. Names are text, or bytes that need not be UTF-8. */
export type WrittenTabixHeader = TabixSettings & { readonly names: readonly (string | Uint8Array)[] };

/** The formats for which tabix has presets. */
export type TabixFormat = 'gff' | 'bed' | 'sam' | 'vcf';

const HASH = 0x23;
const AT_SIGN = 0x40;
const GENERIC = { preset: 'generic', metaCharacter: HASH, skippedLines: 0 } as const;

/** The settings of the presets of tabix. */
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

/** Terminates a name. */
const NUL = Uint8Array.of(0);

/** Writes the header from `format` on, as it follows n_ref in a TBI and forms the auxiliary data of a CSI. */
export function writeTabixHeader(writer: ByteWriter, { names, ...settings }: WrittenTabixHeader): void {
  const encoded = names.map((name) => (typeof name === 'string' ? encodeText(name) : name));
  writer.int32(PRESETS.indexOf(settings.preset) + (settings.isZeroBased ? ZERO_BASED_FLAG : 0));
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
