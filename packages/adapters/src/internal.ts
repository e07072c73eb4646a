export { onResponseClosed } from './outgoing-response.js';
