export { type HttpSourceOptions, httpSource } from './http-source.js';
