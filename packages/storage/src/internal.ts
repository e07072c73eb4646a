// What the other packages of htskit share with this one. It has no stable interface.

export { pathStore } from '#path-source';
export { withStorageErrors } from './http/storage-failure.js';
export { isHttpUrl, locationSource, NO_LOCAL_FILES } from './location/location-source.js';
