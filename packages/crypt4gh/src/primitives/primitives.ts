// The primitives of runtimes without OpenSSL. Those of Node are in primitives.node.ts.
export { portablePrimitives as primitives } from './portable-primitives.js';
