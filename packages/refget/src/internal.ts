// Shared with @htskit/server; not part of the public interface.
export { parseRefgetPath, type RefgetPath, refgetObjectOf } from './route.js';
