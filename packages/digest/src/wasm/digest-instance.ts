import { digestWasm } from './digest-wasm.js';

/** The module of assembly/digest.ts with its memory, whose size never changes. */
export interface DigestInstance {
  readonly buffer: ArrayBuffer;
  /** Bytes to normalise or to hash, written before the call. */
  readonly raw: Uint8Array;
  /** Bytes that were normalised. As long as `raw`. */
  readonly bases: Uint8Array;
  /** Four words of 32 bits, little-endian. */
  readonly md5State: Uint8Array;
  /** Eight words of 64 bits, little-endian. */
  readonly sha512State: Uint8Array;
  /** Normalises the first `length` bytes of `raw` into `bases`, keeps `*` unless `keepsStop` is 0, and returns how many. */
  readonly normalize: (length: number, keepsStop: number) => number;
  /** Takes blocks of 64 bytes from `address` in the memory on into `md5State`. */
  readonly md5Blocks: (address: number, count: number) => void;
  /** Takes blocks of 128 bytes from `address` in the memory on into `sha512State`. */
  readonly sha512Blocks: (address: number, count: number) => void;
}

interface DigestExports extends Pick<DigestInstance, 'normalize' | 'md5Blocks' | 'sha512Blocks'> {
  readonly memory: WebAssembly.Memory;
  readonly capacity: WebAssembly.Global;
  readonly raw: WebAssembly.Global;
  readonly bases: WebAssembly.Global;
  readonly md5State: WebAssembly.Global;
  readonly sha512State: WebAssembly.Global;
}

/**
 * One instance for all, since nothing stays in it between two calls; undefined where WebAssembly is forbidden or knows no
 * SIMD. Made as the module is evaluated: workerd, if at all, compiles WebAssembly only then. It takes a millisecond.
 */
export const digestInstance: DigestInstance | undefined = instantiate();

function instantiate(): DigestInstance | undefined {
  try {
    const module = new WebAssembly.Module(Uint8Array.from(atob(digestWasm), (character) => character.charCodeAt(0)));
    // The declarations of WebAssembly know nothing of a module's exports.
    return toInstance(new WebAssembly.Instance(module).exports as unknown as DigestExports);
  } catch {
    return undefined;
  }
}

function toInstance(exports: DigestExports): DigestInstance {
  const { buffer } = exports.memory;
  const view = (address: WebAssembly.Global, length: number) => new Uint8Array(buffer, Number(address.value), length);
  const capacity = Number(exports.capacity.value);
  return {
    buffer,
    raw: view(exports.raw, capacity),
    bases: view(exports.bases, capacity),
    md5State: view(exports.md5State, 16),
    sha512State: view(exports.sha512State, 64),
    normalize: exports.normalize,
    md5Blocks: exports.md5Blocks,
    sha512Blocks: exports.sha512Blocks,
  };
}
