export type { Clock } from './http/clock.js';
export { type HttpHeaders, type HttpSourceOptions, httpSource } from './http/http-source.js';
export type { HttpOptions } from './http/transport.js';
