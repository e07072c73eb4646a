// What the command shares with this package. It has no stable interface.

export { type SamAheadOptions, samAhead } from './ahead/sam-ahead.js';
export { fillColumns } from './alignment-columns.js';
export { openReference } from './reference/open-reference.js';
