export { type FolderObjectsOptions, folderObjects } from './objects/folder-objects.node.js';
export type { DigestProgressDisplay } from './sequences/loaded-file.node.js';
export { type SequenceCatalogueOptions, sequenceCatalogue } from './sequences/open-sequences.node.js';
export type { WatchedSequences } from './sequences/watched-sequences.node.js';
