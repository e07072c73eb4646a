// What the other packages of htskit share with this one. It has no stable interface.

export { SIGNATURE_ALGORITHMS } from './tokens/bearer-token.js';
