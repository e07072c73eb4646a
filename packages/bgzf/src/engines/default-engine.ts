import { defaultDeflateEngine } from '#deflate-engine';
import { defaultInflateEngine } from '#inflate-engine';
import type { CodecEngine } from './codec-engine.js';

let engine: CodecEngine | undefined;

/**
 * Returns the fastest engines of this runtime as one: WebAssembly or, if that is forbidden, node:zlib in Node, and elsewhere
 * plain JavaScript that inflates and pako that deflates. A program that only reads should use `defaultInflateEngine`.
 */
export function defaultEngine(): CodecEngine {
  engine ??= { ...defaultDeflateEngine(), ...defaultInflateEngine() };
  return engine;
}
