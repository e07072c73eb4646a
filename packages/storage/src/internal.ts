// What the other packages of htskit share with this one. It has no stable interface.

export { folderObjects } from '#path-source';
export { isHttpUrl, locationSource, NO_LOCAL_FILES } from './location/location-source.js';
