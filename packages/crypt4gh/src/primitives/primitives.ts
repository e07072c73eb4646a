export { portablePrimitives as primitives } from './portable-primitives.js';
