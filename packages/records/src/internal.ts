// What the command shares with this package. It has no stable interface.

export { type SamAheadOptions, samAhead } from './ahead/sam-ahead.js';
export { fillColumns } from './columns/alignment-columns.js';
export { readVariantColumns } from './columns/variant-batches.js';
export { type OpenedRecords, openStoredFile } from './open-stored-file.js';
export { openReference } from './reference/open-reference.js';
