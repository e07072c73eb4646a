/**
 * Compiles a module that was inlined as base64. Throws what WebAssembly throws where it is forbidden, as by a Content
 * Security Policy without 'wasm-unsafe-eval'.
 */
export function compileWasm(base64: string): WebAssembly.Module {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new WebAssembly.Module(bytes);
}
