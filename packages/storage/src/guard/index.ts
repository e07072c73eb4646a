export { guardedSource, guardedStore } from './guarded-source.js';
export { StoreGuard, type StoreGuardOptions, type StoreRefusal, type StoreState } from './store-guard.js';
