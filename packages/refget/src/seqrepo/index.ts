export {
  createPlainSeqRepoHandler,
  createSeqRepoHandler,
  type PlainSeqRepoHandler,
  type SeqRepoOptions,
} from './seqrepo-handler.js';
export { parseSeqRepoPath, type SeqRepoPath } from './seqrepo-path.js';
