// The entry point of the built files: JBrowse takes the default export of a plugin.
export { HtskitPlugin as default } from './plugin.js';
