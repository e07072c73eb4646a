import { fromBase64 } from '@htskit/io';
import { digestWasm } from './digest-wasm.js';

/** An instance of assembly/digest.ts. Its memory has a fixed size. */
export interface DigestInstance {
  readonly buffer: ArrayBuffer;
  /** Input of `normalize` and of the hashes. */
  readonly raw: Uint8Array;
  /** Output of `normalize`, as long as `raw`. */
  readonly bases: Uint8Array;
  /** Four words of 32 bits, little-endian. */
  readonly md5State: Uint8Array;
  /** Eight words of 64 bits, little-endian. */
  readonly sha512State: Uint8Array;
  /**
   * Normalises the first `length` bytes of `raw` into `bases`: letters if `isPrintable` is 0, and otherwise all printable
   * characters. Returns the number of bases, or its bitwise complement if white space is not all that was dropped.
   */
  readonly normalize: (length: number, isPrintable: number) => number;
  /** Compresses `count` blocks of 64 bytes at `address` into `md5State`. */
  readonly md5Blocks: (address: number, count: number) => void;
  /** Compresses `count` blocks of 128 bytes at `address` into `sha512State`. */
  readonly sha512Blocks: (address: number, count: number) => void;
  /** The start and the end of each sequence of a batch within `raw`; as long as a batch may be. */
  readonly ranges: Int32Array;
  /** 16 bytes for each sequence. */
  readonly md5Digests: Uint8Array;
  /** The first 24 bytes for each sequence. */
  readonly sha512Digests: Uint8Array;
  /** Hashes the first `count` of `ranges` into `md5Digests` and `sha512Digests`. */
  readonly hashSequences: (count: number) => void;
}

interface DigestExports extends Pick<DigestInstance, 'normalize' | 'md5Blocks' | 'sha512Blocks' | 'hashSequences'> {
  readonly memory: WebAssembly.Memory;
  readonly capacity: WebAssembly.Global;
  readonly raw: WebAssembly.Global;
  readonly bases: WebAssembly.Global;
  readonly md5State: WebAssembly.Global;
  readonly sha512State: WebAssembly.Global;
  readonly batch: WebAssembly.Global;
  readonly ranges: WebAssembly.Global;
  readonly md5Digests: WebAssembly.Global;
  readonly sha512Digests: WebAssembly.Global;
}

/**
 * The instance that all hashers and normalisers share, since it keeps nothing between two calls. Undefined if
 * WebAssembly is forbidden or lacks SIMD. Created while the module is evaluated, the only time at which workerd
 * compiles WebAssembly; it takes a millisecond.
 */
export const digestInstance: DigestInstance | undefined = instantiate();

function instantiate(): DigestInstance | undefined {
  try {
    const module = new WebAssembly.Module(fromBase64(digestWasm));
    // The exports of a module have no static type.
    return toInstance(new WebAssembly.Instance(module).exports as unknown as DigestExports);
  } catch {
    return undefined;
  }
}

function toInstance(exports: DigestExports): DigestInstance {
  const { buffer } = exports.memory;
  const view = (address: WebAssembly.Global, length: number) => new Uint8Array(buffer, Number(address.value), length);
  const capacity = Number(exports.capacity.value);
  const batch = Number(exports.batch.value);
  return {
    buffer,
    raw: view(exports.raw, capacity),
    bases: view(exports.bases, capacity),
    md5State: view(exports.md5State, 16),
    sha512State: view(exports.sha512State, 64),
    normalize: exports.normalize,
    md5Blocks: exports.md5Blocks,
    sha512Blocks: exports.sha512Blocks,
    ranges: new Int32Array(buffer, Number(exports.ranges.value), 2 * batch),
    md5Digests: view(exports.md5Digests, 16 * batch),
    sha512Digests: view(exports.sha512Digests, 24 * batch),
    hashSequences: exports.hashSequences,
  };
}
