// What the command shares with this package. It has no stable interface.

export { fillColumns } from './alignment-columns.js';
export { openOnWorkers } from './open-records.js';
export { openReference } from './reference/open-reference.js';
export type { ContainerSetting, ContainerWorkers } from './stored/container-workers.js';
export type { CramContainer } from './stored/cram-containers.js';
