export { zlibEngine } from './zlib-engine.node.js';
export { createZlibRunner } from './zlib-runner.node.js';
