// Shared with @htskit/refget; not part of the public interface.
export { checkBaseRange } from './sequence.js';
