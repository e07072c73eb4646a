// What the command shares with this package. It has no stable interface.

export { openReference } from './reference/open-reference.js';
