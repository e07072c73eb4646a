export type { CreateServer, FetchHandler } from './adapter-contract/mounted-server.js';
export { adapterContract } from './adapter-contract.js';
export { type DecodeBamOptions, type DecodedBam, type DecodedBamRecord, decodeBam } from './bam.js';
export type { BamTag } from './bam-tags.js';
export { bgunzip, type DecodedBlock, hasEofMarker, splitBgzf } from './bgzf.js';
export { byteSourceContract } from './byte-source-contract.js';
export type { ContractSource, ContractSubject } from './byte-source-subject.js';
export { type Deferred, deferred } from './deferred.js';
export {
  type AlignmentExpectations,
  type ExpectedRegion,
  type ExpectedSequence,
  expectations,
  type FastaExpectations,
  type OrdinalRanges,
  toOrdinals,
  type VariantExpectations,
} from './expectations.js';
export { type Fault, FaultyServer, type SeenRequest } from './faulty-server.js';
export { fixtureChecksums, fixtureNames, fixturePath, readFixture } from './fixture.js';
export { excessGrowth, type GrowthOptions } from './growth.js';
export type { RangeAnswer, ServedObject } from './http-range.js';
export {
  checkMutations,
  type Mutation,
  type MutationCheck,
  type MutationOptions,
  type MutationOutcomes,
  mutations,
} from './mutations.js';
export { type ContractStore, type ContractStoreSubject, objectStoreContract } from './object-store-contract.js';
export { createRandom } from './random.js';
export {
  extractExample,
  type ReadmeExampleOptions,
  type ReadmeExampleResult,
  runReadmeExample,
} from './readme-example.js';
export { type Interfere, type S3Request, S3Server, type S3ServerOptions } from './s3/s3-server.js';
export { checkSignature, type SignedRequest, type SigningKeys } from './s3/signature.js';
export { toSamText } from './sam.js';
export { areInstalled, startServer, type TestServer } from './test-server.js';
export { encodeTwoBit, type TwoBitInput, type TwoBitOptions } from './two-bit.js';
