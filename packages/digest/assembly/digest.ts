// Normalisation and hashes of sequences. The instance keeps nothing between two calls: JavaScript writes the state of a
// hash before a call and reads it afterwards, so that one instance serves any number of digesters.
import { BASES, BATCH, CAPACITY, MD5_DIGESTS, RANGES, RAW, SHA512_DIGESTS } from './areas';
import { MD5_STATE } from './md5';
import { SHA512_STATE } from './sha512';

export { md5Blocks } from './md5';
export { normalize } from './normalize';
export { hashSequences } from './sequences';
export { sha512Blocks } from './sha512';

/** Size of RAW and BASES in bytes. */
export const capacity: i32 = CAPACITY;

/** Most sequences of one call of `hashSequences`. */
export const batch: i32 = BATCH;

/** Addresses of the areas. */
export const raw: i32 = <i32>RAW;
export const bases: i32 = <i32>BASES;
export const md5State: i32 = <i32>MD5_STATE;
export const sha512State: i32 = <i32>SHA512_STATE;
export const ranges: i32 = <i32>RANGES;
export const md5Digests: i32 = <i32>MD5_DIGESTS;
export const sha512Digests: i32 = <i32>SHA512_DIGESTS;
