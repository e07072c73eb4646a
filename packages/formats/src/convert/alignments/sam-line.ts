import { encodeText } from '@htskit/io';
import { unpackBases } from '../../bam/bases.js';
import { CIGAR_CHARACTERS, forEachOperation } from '../../bam/cigar.js';
import type { BamReference } from '../../bam/header.js';
import {
  baseCount,
  baseStart,
  basesStart,
  cigarStart,
  cigarTagStart,
  mappingQuality,
  mateReferenceId,
  mateStart,
  nameStart,
  operationCount,
  qualitiesStart,
  recordEnd,
  recordFlags,
  referenceId,
  tagsStart,
  templateLength,
} from '../../bam/record-fields.js';
import { parseNumber } from '../../bam/tags/tag-values.js';
import { bamTagEnd } from '../../bam/tags/tags.js';
import { addToBytes } from '../../bytes/add-to-bytes.js';
import type { ByteWriter } from '../../bytes/byte-writer.js';
import { formatG, writeFloat } from '../../bytes/float-text.js';
import { invalidData } from '../../format-error.js';

const [TAB, COLON, COMMA, ASTERISK, EQUALS] = [0x09, 0x3a, 0x2c, 0x2a, 0x3d];
const NO_QUALITY = 0xff;
const FIRST_QUALITY = 33;

/** The names of references as bytes, by the index of the reference. */
export type ReferenceNames = readonly Uint8Array[];

const namesOfReferences = new WeakMap<readonly BamReference[], ReferenceNames>();

/** Returns the encoded names of a header's references, which are encoded once. */
export function referenceNames(references: readonly BamReference[]): ReferenceNames {
  const known = namesOfReferences.get(references);
  if (known !== undefined) return known;
  const names = references.map(({ name }) => encodeText(name));
  namesOfReferences.set(references, names);
  return names;
}

/**
 * Writes the record at `at`, which passed `checkRecord`, as a line of SAM text without its line feed (SAMv1 §1.4), as
 * `samtools view` does. Throws `FormatError` `INVALID_DATA` for malformed tags and for references that the header lacks.
 */
export function writeSamLine(writer: ByteWriter, view: DataView, at: number, names: ReferenceNames): void {
  writeText(writer, view, nameStart(at), cigarStart(view, at) - 1);
  writeInteger(writer, recordFlags(view, at));
  writer.uint8(TAB);
  writeReference(writer, referenceId(view, at), { names, at });
  writeInteger(writer, baseStart(view, at) + 1);
  writeInteger(writer, mappingQuality(view, at));
  writer.uint8(TAB);
  writeCigar(writer, view, at);
  writer.uint8(TAB);
  const mate = mateReferenceId(view, at);
  if (mate >= 0 && mate === referenceId(view, at)) writer.uint8(EQUALS);
  else writeReference(writer, mate, { names, at });
  writeInteger(writer, mateStart(view, at) + 1);
  writeInteger(writer, templateLength(view, at));
  writer.uint8(TAB);
  writeSequence(writer, view, at);
  writeTags(writer, view, at);
}

function writeText(writer: ByteWriter, view: DataView, start: number, end: number): void {
  const at = writer.reserve(end - start);
  const { memory } = writer;
  for (let i = 0; i < end - start; i++) memory[at + i] = view.getUint8(start + i);
}

/** Writes an integer after a tab. */
function writeInteger(writer: ByteWriter, value: number): void {
  writer.uint8(TAB);
  writer.decimal(value);
}

function writeReference(
  writer: ByteWriter,
  id: number,
  { names, at }: { readonly names: ReferenceNames; readonly at: number },
): void {
  if (id < 0) {
    writer.uint8(ASTERISK);
    return;
  }
  const name = names[id];
  if (name === undefined) throw invalidData(`header does not declare reference ${id}`, at);
  writer.copy(name, 0, name.length);
}

function writeCigar(writer: ByteWriter, view: DataView, at: number): void {
  if (operationCount(view, at) === 0) {
    writer.uint8(ASTERISK);
    return;
  }
  forEachOperation(view, at, (operation) => {
    writer.decimal(operation >>> 4);
    writer.uint8(CIGAR_CHARACTERS[operation & 0xf] ?? 0);
  });
}

function writeSequence(writer: ByteWriter, view: DataView, at: number): void {
  const count = baseCount(view, at);
  if (count === 0) {
    writer.uint8(ASTERISK);
    writer.uint8(TAB);
    writer.uint8(ASTERISK);
    return;
  }
  const bases = writer.reserve(count);
  unpackBases(view, { at: basesStart(view, at), count }, writer.view, bases);
  writer.uint8(TAB);
  const qualities = qualitiesStart(view, at);
  if (view.getUint8(qualities) === NO_QUALITY) {
    writer.uint8(ASTERISK);
    return;
  }
  const start = writer.reserve(count);
  addToBytes(view, { at: qualities, count, addend: FIRST_QUALITY }, writer.view, start);
}

function writeTags(writer: ByteWriter, view: DataView, at: number): void {
  const end = recordEnd(view, at);
  const cigarTag = cigarTagStart(view, at);
  for (let tag = tagsStart(view, at); tag < end; ) {
    const tagEnd = bamTagEnd(view, tag, end);
    if (tag !== cigarTag) writeTag(writer, view, tag, tagEnd);
    tag = tagEnd;
  }
}

const [CHARACTER, TEXT, HEX, FLOAT, DOUBLE, INTEGER] = [0x41, 0x5a, 0x48, 0x66, 0x64, 0x69];
/** Offsets in a tag: of its type, of its value; and of the elements in an array. */
const [TYPE, VALUE, ELEMENTS] = [2, 3, 5];

/** Writes a tab and the tag [at, end). */
function writeTag(writer: ByteWriter, view: DataView, at: number, end: number): void {
  const type = view.getUint8(at + TYPE);
  const start = at + VALUE;
  const number = parseNumber(view, type, start);
  const isInteger = type !== FLOAT && type !== DOUBLE && number !== undefined;
  writer.uint8(TAB);
  writer.uint8(view.getUint8(at));
  writer.uint8(view.getUint8(at + 1));
  writer.uint8(COLON);
  writer.uint8(isInteger ? INTEGER : type);
  writer.uint8(COLON);
  if (isInteger) writer.decimal(number);
  else if (type === CHARACTER) writer.uint8(view.getUint8(start));
  else if (number !== undefined) writer.text(formatG(number));
  else if (type === TEXT || type === HEX) writeText(writer, view, start, end - 1);
  else writeArray(writer, view, start, end);
}

/** Writes the type of the elements, which is at `at`, and the elements. */
function writeArray(writer: ByteWriter, view: DataView, at: number, end: number): void {
  const type = view.getUint8(at);
  writer.uint8(type);
  const elementBytes = (end - at - ELEMENTS) / view.getUint32(at + 1, true);
  for (let element = at + ELEMENTS; element < end; element += elementBytes) {
    const number = parseNumber(view, type, element);
    if (number === undefined) throw invalidData('elements of an array tag are not numbers', at);
    writer.uint8(COMMA);
    if (type === FLOAT) writeFloat(writer, number);
    else writer.decimal(number);
  }
}
