// What the other packages of htskit share with this one. It has no stable interface.

export { digestInThread } from './checksums/checksums.js';
export { type DrsPath, drsObjectOf, filePath, parseDrsPath } from './path.js';
