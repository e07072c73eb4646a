import { fromBase64 } from '@htskit/io';
import { partsWasm } from './parts-wasm.js';

/** The parts of data that become the lists of records: those of record i are [starts[i], ends[i]), or none if starts[i] is −1. */
export interface Parts {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** An instance of assembly/parts.ts, which copies parts of data one after another. */
export interface PartCopier {
  /** Takes the data that parts are copied of until the next call. */
  enter(data: Uint8Array): void;
  /** Returns the bytes of parts, `byteLength` in all, in memory that the next call overwrites. */
  copy(parts: Parts, byteLength: number): Uint8Array;
  /**
   * Returns the letters of `count` bases in such memory. A part starts with a byte, which holds two of them (SAMv1 §4.2.3), and has
   * `ends[i] - starts[i]` bases.
   */
  unpack(parts: Parts, count: number): Uint8Array;
}

interface PartExports {
  readonly memory: WebAssembly.Memory;
  readonly base: WebAssembly.Global<'i32'>;
  readonly copy: PartKernel;
  readonly unpack: PartKernel;
}

type PartKernel = (data: number, starts: number, ends: number, count: number, target: number) => void;

/** Bytes after the data that are read, and bytes after the copies that are written. */
const SLACK_BYTES = 32;
const PAGE_BYTES = 65_536;

/**
 * The instance that all callers share: each uses it without waiting between `enter` and its last copy. Undefined if WebAssembly is
 * forbidden or lacks SIMD. Created while the module is evaluated, the only time at which workerd compiles WebAssembly.
 */
export const partCopier: PartCopier | undefined = instantiate();

function instantiate(): PartCopier | undefined {
  try {
    const module = new WebAssembly.Module(fromBase64(partsWasm));
    // The exports of a module have no static type.
    return createCopier(new WebAssembly.Instance(module).exports as unknown as PartExports);
  } catch {
    return undefined;
  }
}

function createCopier({ memory, base, copy, unpack }: PartExports): PartCopier {
  const data = base.value;
  /** The offset after the data, a multiple of 4. */
  let dataEnd = data;
  let bytes = new Uint8Array(memory.buffer);
  const reserve = (end: number): void => {
    if (end <= bytes.length) return;
    memory.grow(Math.ceil((end - bytes.length) / PAGE_BYTES));
    bytes = new Uint8Array(memory.buffer);
  };
  const run = (kernel: PartKernel, { starts, ends }: Parts, byteLength: number): Uint8Array => {
    const endsStart = dataEnd + starts.byteLength;
    const target = endsStart + ends.byteLength;
    reserve(target + byteLength + SLACK_BYTES);
    new Int32Array(bytes.buffer, dataEnd, starts.length).set(starts);
    new Int32Array(bytes.buffer, endsStart, ends.length).set(ends);
    kernel(data, dataEnd, endsStart, starts.length, target);
    return bytes.subarray(target, target + byteLength);
  };
  return {
    enter(source) {
      dataEnd = (data + source.length + SLACK_BYTES + 3) & ~3;
      reserve(dataEnd);
      bytes.set(source, data);
    },
    copy: (parts, byteLength) => run(copy, parts, byteLength),
    unpack: (parts, count) => run(unpack, parts, count),
  };
}
