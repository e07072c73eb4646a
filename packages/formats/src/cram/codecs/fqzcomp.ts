import type { ByteCursor } from '../byte-cursor.js';
import type { EntropyEngine, ModelsId, QualityTables, RangeCoder } from './engines/entropy-engine.js';

const VERSION = 5;
/** The flags of all parameter sets, and those of one (CRAM codecs §6.2). */
const GLOBAL_FLAG = { severalSets: 1, selectorTable: 2, reversal: 4 } as const;
const FLAG = {
  duplicates: 2,
  fixedLength: 4,
  selector: 8,
  qualityMap: 16,
  positionTable: 32,
  deltaTable: 64,
  qualityTable: 128,
} as const;

const CONTEXTS = 2 ** 16;
const POSITIONS = 1024;

/** How the qualities of a record are predicted. */
interface ParameterSet extends QualityTables {
  readonly flags: number;
  readonly symbolCount: number;
  readonly selectorPlace: number;
}

interface Parameters {
  readonly sets: readonly ParameterSet[];
  readonly hasReversal: boolean;
  readonly maxSelector: number;
  /** The index of the parameter set of each selector. */
  readonly setOfSelector: Uint32Array;
}

/**
 * Decodes qualities that fqzcomp compressed (CRAM codecs §6). Throws `FormatError` `INVALID_DATA` and `TRUNCATED` if they are
 * corrupt or are not `size` bytes.
 */
export function decodeFqzcomp(cursor: ByteCursor, size: number, engine: EntropyEngine): Uint8Array {
  if (cursor.readUint7() !== size) throw cursor.invalid('uncompressed size of fqzcomp differs from that of the block');
  const parameters = readParameters(cursor);
  return new FqzcompDecoder(parameters, cursor, engine.createRangeCoder(cursor)).decode(size);
}

function readParameters(cursor: ByteCursor): Parameters {
  const version = cursor.readByte();
  if (version !== VERSION) throw cursor.invalid(`unknown version ${version} of fqzcomp`);
  const flags = cursor.readByte();
  const count = (flags & GLOBAL_FLAG.severalSets) === 0 ? 1 : cursor.readByte();
  if (count === 0) throw cursor.invalid('fqzcomp has no parameters');
  let maxSelector = count > 1 ? count : 0;
  let setOfSelector = Uint32Array.from({ length: 256 }, (_, selector) => Math.min(selector, count - 1));
  if ((flags & GLOBAL_FLAG.selectorTable) !== 0) {
    maxSelector = cursor.readByte();
    setOfSelector = readTable(cursor, 256);
  }
  const sets = Array.from({ length: count }, () => readParameterSet(cursor));
  return { sets, hasReversal: (flags & GLOBAL_FLAG.reversal) !== 0, maxSelector, setOfSelector };
}

function readParameterSet(cursor: ByteCursor): ParameterSet {
  const context = cursor.readUint16();
  const flags = cursor.readByte();
  const maxSymbol = cursor.readByte();
  const [quality, places, otherPlaces] = [cursor.readByte(), cursor.readByte(), cursor.readByte()];
  const qualities = Uint8Array.from({ length: 256 }, (_, symbol) => symbol);
  if ((flags & FLAG.qualityMap) !== 0) qualities.fill(0).set(cursor.readBytes(maxSymbol));
  // As in htscodecs, the table is absent if the context has no bits for qualities.
  const hasQualityTable = (flags & FLAG.qualityTable) !== 0 && quality >> 4 > 0;
  const symbolParts = hasQualityTable ? readTable(cursor, 256) : Uint32Array.from({ length: 256 }, (_, i) => i);
  const shifted = (flag: number, length: number, shift: number): Uint32Array =>
    (flags & flag) === 0 ? new Uint32Array(length) : readTable(cursor, length).map((value) => value << shift);
  return {
    context,
    flags,
    symbolCount: maxSymbol + 1,
    qualityMask: 2 ** (quality >> 4) - 1,
    qualityShift: quality & 15,
    qualityPlace: places >> 4,
    selectorPlace: places & 15,
    qualities,
    symbolParts,
    positionParts: shifted(FLAG.positionTable, POSITIONS, otherPlaces >> 4),
    deltaParts: shifted(FLAG.deltaTable, 256, otherPlaces & 15),
  };
}

/**
 * Reads a table of `length` values that ascend from 0 by steps of at most one. Stored are the lengths of the runs of each
 * value; after two equal ones follows the number of further equal ones. A part of 255 is followed by the rest of its run.
 */
function readTable(cursor: ByteCursor, length: number): Uint32Array<ArrayBuffer> {
  const table = new Uint32Array(length);
  let value = 0;
  let previous = -1;
  let copies = 0;
  for (let at = 0; at < length; ) {
    let part = previous;
    if (copies > 0) copies -= 1;
    else {
      part = cursor.readByte();
      if (part === previous) copies = cursor.readByte();
      previous = part;
    }
    table.fill(value, at, at + part);
    at += part;
    if (part < 255) value += 1;
    if (value > length) throw cursor.invalid('table of fqzcomp has more values than entries');
  }
  return table;
}

/** The state of decoding one block. */
class FqzcompDecoder {
  readonly #parameters: Parameters;
  readonly #cursor: ByteCursor;
  readonly #coder: RangeCoder;
  readonly #qualities: ModelsId;
  readonly #lengths: ModelsId;
  readonly #flags: ModelsId;
  readonly #selectors: ModelsId;
  #length: number | undefined;

  constructor(parameters: Parameters, cursor: ByteCursor, coder: RangeCoder) {
    this.#parameters = parameters;
    this.#cursor = cursor;
    this.#coder = coder;
    this.#qualities = coder.createModels(Math.max(...parameters.sets.map((set) => set.symbolCount)), CONTEXTS);
    this.#lengths = coder.createModels(256, 4);
    this.#flags = coder.createModels(2, 2);
    this.#selectors = coder.createModels(parameters.maxSelector + 1, 1);
  }

  decode(size: number): Uint8Array {
    const output = new Uint8Array(size);
    // The start and end of each reversed record. A duplicate repeats a record as it was before its reversal.
    const reversed: number[] = [];
    for (let at = 0; at < size; ) at = this.#decodeRecord(output, at, reversed);
    for (let i = 0; i < reversed.length; i += 2) output.subarray(reversed[i], reversed[i + 1]).reverse();
    return output;
  }

  /** Decodes the qualities of the record at `at`, and returns their end. */
  #decodeRecord(output: Uint8Array, at: number, reversed: number[]): number {
    const { sets, hasReversal, maxSelector, setOfSelector } = this.#parameters;
    const selector = maxSelector > 0 ? this.#coder.decodeSymbol(this.#selectors, 0) : 0;
    const set = sets[setOfSelector[selector] ?? 0];
    if (set === undefined) throw this.#cursor.invalid(`fqzcomp has no parameters for selector ${selector}`);
    if (this.#length === undefined || (set.flags & FLAG.fixedLength) === 0) this.#length = this.#decodeLength();
    const end = at + this.#length;
    if (end === at || end > output.length) throw this.#cursor.invalid('records of fqzcomp do not fill the block');
    if (hasReversal && this.#coder.decodeSymbol(this.#flags, 0) === 1) reversed.push(at, end);
    if ((set.flags & FLAG.duplicates) !== 0 && this.#coder.decodeSymbol(this.#flags, 1) === 1) {
      if (this.#length > at) throw this.#cursor.invalid('first record of fqzcomp is a duplicate');
      output.copyWithin(at, at - this.#length, at);
    } else {
      const selectorPart = (set.flags & FLAG.selector) === 0 ? 0 : selector << set.selectorPlace;
      const coded = { tables: set, length: this.#length, selectorPart };
      output.set(this.#coder.decodeQualities(this.#qualities, coded), at);
    }
    return end;
  }

  #decodeLength(): number {
    let length = 0;
    for (let byte = 0; byte < 4; byte++) length += this.#coder.decodeSymbol(this.#lengths, byte) * 256 ** byte;
    return length;
  }
}
