import { fromBase64 } from '@htskit/io';
import { FormatError } from '../../../format-error.js';
import type { ByteCursor } from '../../byte-cursor.js';
import type { CodedQualities, EntropyEngine, ModelsId, QualityTables, RangeCoder, RansCode } from './entropy-engine.js';
import { entropyWasm } from './entropy-wasm.js';
import { readRangeCode, readStates } from './initial-state.js';
import { decodeNames, type NameExports } from './wasm-names.js';

/** The exports of assembly/entropy.ts. Addresses are unsigned: memory has less than 2 GiB. */
interface EntropyExports extends NameExports {
  readonly states: WebAssembly.Global<'i32'>;
  readonly frequencies: WebAssembly.Global<'i32'>;
  readonly directory: WebAssembly.Global<'i32'>;
  readonly readAhead: WebAssembly.Global<'i32'>;
  reset(): void;
  createTable(bits: number): number;
  decodeOrder0(...parameters: number[]): number;
  decodeOrder1(...parameters: number[]): number;
  startRange(code: number, input: number, end: number): void;
  rangePosition(): number;
  createModels(symbolCount: number, contextCount: number): ModelsId;
  decodeSymbol(models: ModelsId, context: number): number;
  decodeSymbols(models: ModelsId, output: number, size: number, isOrder1: number): number;
  decodeQualities(...parameters: number[]): number;
}

/** The result of the range decoder at the end of the data; other negative results mean that the data is invalid. */
const TRUNCATED = -2;

/** An instance whose memory has grown beyond this is replaced, because memory does not shrink. */
const MAX_KEPT_BYTES = 2 ** 26;

/** Creates the engine that runs in WebAssembly. Returns undefined if WebAssembly is forbidden or missing. */
export function createWasmEntropyEngine(): EntropyEngine | undefined {
  try {
    const module = new WebAssembly.Module(fromBase64(entropyWasm));
    let exports = instantiate(module);
    const start = (): EntropyExports => {
      if (exports.memory.buffer.byteLength > MAX_KEPT_BYTES) exports = instantiate(module);
      exports.reset();
      return exports;
    };
    return {
      name: 'wasm',
      decodeRans: (cursor, code) => decodeRans(start(), cursor, code),
      createRangeCoder: (cursor) => new WasmRangeCoder(start(), cursor),
      decodeNames: (streams, counts) => decodeNames(start(), streams, counts),
    };
  } catch {
    return undefined;
  }
}

function instantiate(module: WebAssembly.Module): EntropyExports {
  // The exports of a module have no static type.
  return new WebAssembly.Instance(module).exports as unknown as EntropyExports;
}

/** Copies the rest of the data into the memory, and returns its bounds there. */
function writeInput(exports: EntropyExports, cursor: ByteCursor): { readonly start: number; readonly end: number } {
  const input = cursor.bytes.subarray(cursor.at);
  const byteLength = input.length + exports.readAhead.value;
  const start = exports.allocate(byteLength);
  const area = new Uint8Array(exports.memory.buffer, start, byteLength);
  area.set(input);
  // Bytes past the end are read as zeros, as in JavaScript.
  area.fill(0, input.length);
  return { start, end: start + input.length };
}

function decodeRans(exports: EntropyExports, cursor: ByteCursor, code: RansCode): Uint8Array {
  const { bits, hasWords, stateCount, frequencies, size } = code;
  const states = readStates(cursor, code);
  const { start, end } = writeInput(exports, cursor);
  const output = exports.allocate(size);
  const createTable = (values: Uint16Array): number => {
    new Uint16Array(exports.memory.buffer, exports.frequencies.value, 256).set(values);
    return exports.createTable(bits);
  };
  const isOrder0 = frequencies instanceof Uint16Array;
  const tables = isOrder0
    ? [createTable(frequencies)]
    : Array.from(frequencies, (values) => values && createTable(values));
  new Uint32Array(exports.memory.buffer, exports.states.value, stateCount).set(states);
  const variant = [start, end, output, size, bits, hasWords ? 1 : 0, stateCount];
  let next: number;
  if (isOrder0) next = exports.decodeOrder0(tables[0] ?? 0, ...variant);
  else {
    const directory = new Uint32Array(exports.memory.buffer, exports.directory.value, 256).fill(0);
    for (const [symbol, table] of tables.entries()) directory[symbol] = table ?? 0;
    next = exports.decodeOrder1(...variant);
  }
  if (next === 0) throw cursor.invalid('symbol of rANS has no frequency table');
  cursor.skip(next - start);
  const decoded = new Uint8Array(exports.memory.buffer, output, size);
  if (code.output === undefined) return decoded.slice();
  code.output.set(decoded);
  return code.output;
}

class WasmRangeCoder implements RangeCoder {
  readonly #exports: EntropyExports;
  readonly #cursor: ByteCursor;
  /** The address of the input, minus its place in the bytes of the cursor. */
  readonly #base: number;
  /** The addresses of tables, and that of memory for the longest record so far. */
  readonly #tables = new Map<QualityTables, number>();
  #record = { address: 0, length: 0 };

  constructor(exports: EntropyExports, cursor: ByteCursor) {
    this.#exports = exports;
    this.#cursor = cursor;
    const code = readRangeCode(cursor);
    const { start, end } = writeInput(exports, cursor);
    this.#base = start - cursor.at;
    exports.startRange(code, start, end);
  }

  createModels(symbolCount: number, contextCount: number): ModelsId {
    return this.#exports.createModels(symbolCount, contextCount);
  }

  decodeSymbol(models: ModelsId, context: number): number {
    return this.#check(this.#exports.decodeSymbol(models, context));
  }

  decodeSymbols(models: ModelsId, coded: { readonly size: number; readonly isOrder1: boolean }): Uint8Array {
    const { size, isOrder1 } = coded;
    const output = this.#exports.allocate(size);
    this.#check(this.#exports.decodeSymbols(models, output, size, isOrder1 ? 1 : 0));
    return new Uint8Array(this.#exports.memory.buffer, output, size).slice();
  }

  decodeQualities(models: ModelsId, { tables, length, selectorPart }: CodedQualities): Uint8Array {
    if (length > this.#record.length) {
      this.#record = { address: this.#exports.allocate(2 * length), length: 2 * length };
    }
    const { address } = this.#record;
    const { context, qualityMask, qualityShift, qualityPlace } = tables;
    const settings = [context, selectorPart, qualityMask, qualityShift, qualityPlace];
    this.#check(this.#exports.decodeQualities(models, this.#addressOf(tables), address, length, ...settings));
    return new Uint8Array(this.#exports.memory.buffer, address, length);
  }

  #addressOf(tables: QualityTables): number {
    const known = this.#tables.get(tables);
    if (known !== undefined) return known;
    const { symbolParts, positionParts, deltaParts, qualities } = tables;
    const words = [...symbolParts, ...positionParts, ...deltaParts];
    const address = this.#exports.allocate(4 * words.length + qualities.length);
    new Uint32Array(this.#exports.memory.buffer, address, words.length).set(words);
    new Uint8Array(this.#exports.memory.buffer, address + 4 * words.length, qualities.length).set(qualities);
    this.#tables.set(tables, address);
    return address;
  }

  /** Returns a result that is not negative. */
  #check(result: number): number {
    if (result >= 0) return result;
    this.#cursor.at = this.#exports.rangePosition() - this.#base;
    if (result !== TRUNCATED) throw this.#cursor.invalid('code of the arithmetic coder is outside the range');
    throw new FormatError('TRUNCATED', 'unexpected end of data', { offset: this.#cursor.offset });
  }
}
