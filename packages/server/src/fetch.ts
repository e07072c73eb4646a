export { parseSigningKey } from './auth/parse-signing-key.js';
export { type ConfiguredFetchOptions, readFetchOptions } from './config/fetch-options.js';
export { type FetchServer, type FetchServerOptions, openFetchServer } from './runtime/fetch-server.js';
