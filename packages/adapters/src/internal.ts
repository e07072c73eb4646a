export { onResponseClosed } from './connection.js';
