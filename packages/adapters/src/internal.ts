export { answerExchange, hasBody } from './exchange.js';
export { onResponseClosed } from './outgoing-response.js';
export { normalizePath, parseRequestTarget } from './request-target.js';
