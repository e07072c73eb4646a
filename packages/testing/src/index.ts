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
export { fixtureChecksums, fixtureNames, fixturePath, readFixture } from './fixture.js';
export { type Mutation, type MutationOptions, mutations } from './mutations.js';
export { type ContractStore, type ContractStoreSubject, objectStoreContract } from './object-store-contract.js';
export { createRandom } from './random.js';
export {
  extractExample,
  type ReadmeExampleOptions,
  type ReadmeExampleResult,
  runReadmeExample,
} from './readme-example.js';
export { toSamText } from './sam.js';
export { encodeTwoBit, type TwoBitInput, type TwoBitOptions } from './two-bit.js';
