export { type RunningServer, type ServeOptions, serve } from './runtime/serve.js';
