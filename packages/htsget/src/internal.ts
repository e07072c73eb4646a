export { peekBlockToken } from './block-url/block-claim.js';
export type { BgzfFile } from './file/bgzf-file.js';
export type { CramFile } from './file/cram-file.js';
export { asBinning, asCrai } from './file/file-index.js';
export { chooseFile, type FileChoice } from './file/stored-file.js';
