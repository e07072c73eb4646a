export type { PluginManager } from './jbrowse/core.js';
export { HtskitPlugin } from './plugin.js';
