// What the server shares with this package. It has no stable interface.

export { type CoveragePath, parseCoveragePath } from './handler/path.js';
