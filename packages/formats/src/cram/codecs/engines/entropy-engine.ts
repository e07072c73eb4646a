import type { ByteCursor } from '../../byte-cursor.js';
import type { TokenStreams } from '../name-tokens.js';

/** The parameters of rANS data. */
export interface RansCode {
  /** The logarithm of the sum of the frequencies of each table: the number of low bits that select a step. */
  readonly bits: number;
  /** States are kept at or above 2^23 by bytes, or at or above 2^15 by 16-bit words. */
  readonly hasWords: boolean;
  /** States that take turns, at most 32. */
  readonly stateCount: number;
  /**
   * The frequencies of 256 symbols, whose sum is at most 2^`bits`: those of all symbols (order 0), or those of the symbols that
   * follow each symbol (order 1).
   */
  readonly frequencies: Uint16Array | readonly (Uint16Array | undefined)[];
  /** The number of symbols to decode. */
  readonly size: number;
  /** Memory of `size` bytes to decode to, which is returned. Default: new memory. */
  readonly output?: Uint8Array | undefined;
}

/** The tables that the qualities of some records are predicted with (CRAM codecs §6.2). */
export interface QualityTables {
  readonly context: number;
  readonly qualityMask: number;
  readonly qualityShift: number;
  readonly qualityPlace: number;
  /** The quality of each symbol. */
  readonly qualities: Uint8Array;
  /** The parts of the context that come from a symbol, the remaining positions and the changes, shifted to their places. */
  readonly symbolParts: Uint32Array;
  readonly positionParts: Uint32Array;
  readonly deltaParts: Uint32Array;
}

/** The qualities of a record. */
export interface CodedQualities {
  readonly tables: QualityTables;
  readonly length: number;
  /** The part of the context that comes from the selector. */
  readonly selectorPart: number;
}

/** Adaptive models of symbols in several contexts (CRAM codecs §4.1), which belong to the coder that created them. */
export type ModelsId = number;

/** Decodes the symbols of a block (CRAM codecs §4). All methods throw `FormatError` `INVALID_DATA` and `TRUNCATED`. */
export interface RangeCoder {
  /** Creates models of at most 256 symbols for contexts below `contextCount`. */
  createModels(symbolCount: number, contextCount: number): ModelsId;
  decodeSymbol(models: ModelsId, context: number): number;
  /** Decodes `size` symbols, each in the context of the one before it (order 1), or all in context 0. */
  decodeSymbols(models: ModelsId, coded: { readonly size: number; readonly isOrder1: boolean }): Uint8Array;
  /** Decodes the qualities of a record into memory that the next call overwrites. */
  decodeQualities(models: ModelsId, coded: CodedQualities): Uint8Array;
}

/** The decoders that take most of the time of decoding CRAM. */
export interface EntropyEngine {
  readonly name: 'wasm' | 'js';
  /** Decodes rANS from the initial states on. Throws `FormatError` `INVALID_DATA` and `TRUNCATED`. */
  decodeRans(cursor: ByteCursor, code: RansCode): Uint8Array;
  /**
   * Starts decoding the rest of a block that the arithmetic coder wrote. An engine decodes one block at a time: a coder ends when
   * the next one is created, or when `decodeRans` or `decodeNames` is called.
   */
  createRangeCoder(cursor: ByteCursor): RangeCoder;
  /**
   * Decodes the names of token streams, `size` bytes. Returns undefined if they are damaged or take too much memory. An engine
   * without it decodes them in JavaScript.
   */
  decodeNames?(
    streams: TokenStreams,
    counts: { readonly nameCount: number; readonly size: number },
  ): Uint8Array | undefined;
}
