export { createZlibRunner } from '../pool/zlib-runner.node.js';
export { zlibEngine } from './zlib-engine.node.js';
