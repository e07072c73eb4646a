export { type RunningServer, type ServeOptions, serve } from './serve.js';
