export { peekBlockToken } from './block-url/block-claim.js';
export { type BgzfFile, type ReadFileOptions, readBgzfFile } from './file/bgzf-file.js';
export { type CramFile, readCramFile } from './file/cram-file.js';
export { asBinning } from './file/file-index.js';
