export { byteSourceContract } from './byte-source-contract/byte-source-contract.js';
export {
  type ContractSource,
  type ContractSubject,
  failureCode,
  objectBytes,
} from './byte-source-contract/byte-source-subject.js';
export {
  type BamTag,
  type DecodeBamOptions,
  type DecodedBam,
  type DecodedBamRecord,
  decodeBam,
} from './decoders/bam.js';
export { bgunzip, type DecodedBlock, hasEofMarker, splitBgzf } from './decoders/bgzf.js';
export { toSamText } from './decoders/sam.js';
export { type Deferred, deferred } from './deferred.js';
export {
  type AlignmentExpectations,
  type ExpectedRegion,
  type ExpectedSequence,
  expectations,
  type FastaExpectations,
  fixtureChecksums,
  fixtureNames,
  fixturePath,
  type OrdinalRanges,
  readFixture,
  toOrdinals,
  type VariantExpectations,
} from './fixtures/expectations.js';
export { costRatio, excessGrowth, excessGrowthAsync, type GrowthOptions } from './growth.js';
export { LambdaFunction, type LambdaFunctionOptions } from './lambda/lambda-function.js';
export { type UnzippedFunction, unzipFunction } from './lambda/unzipped-function.js';
export {
  checkMutations,
  type Mutation,
  type MutationCheck,
  type MutationOptions,
  type MutationOutcomes,
  mutations,
} from './mutations.js';
export { downloadNpmPackage } from './npm-package.js';
export { installPythonPackages } from './python-packages.js';
export { createRandom } from './random.js';
export {
  extractExample,
  type ReadmeExampleOptions,
  type ReadmeExampleResult,
  runReadmeExample,
} from './readme-example.js';
export { type Fault, FaultyServer, type SeenRequest } from './servers/faulty-server.js';
export type { RangeAnswer, ServedObject } from './servers/http-range.js';
export { JsonServer } from './servers/json-server.js';
export { type Interfere, type S3Request, S3Server, type S3ServerOptions } from './servers/s3-server.js';
export { checkSignature, type SignedRequest, type SigningKeys } from './servers/s3-signature.js';
export { type ArchivedFile, type SdaRequest, SdaServer, type SdaServerOptions } from './servers/sda-server.js';
export { areInstalled, startServer, type TestServer } from './servers/test-server.js';
export { collectSlowly, KeptChunks } from './streams/kept-chunks.js';
export { CHUNK_SIZES, chunksOf, overwriteChunks } from './streams/overwritten-chunks.js';
export { encodeTwoBit, type TwoBitInput, type TwoBitOptions } from './two-bit.js';
export { sample, volume } from './volume.js';
