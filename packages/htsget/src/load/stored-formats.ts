import type { StoredFormat } from '../file/stored-file.js';
import { createBgzfFormat } from './bgzf-format.js';
import { CRAM_FORMAT } from './cram-format.js';
import type { FileFormat } from './file-format.js';

/** The operations on files of each stored format. */
export const STORED_FORMATS: Readonly<Record<StoredFormat, FileFormat>> = {
  BAM: createBgzfFormat('BAM'),
  BCF: createBgzfFormat('BCF'),
  VCF: createBgzfFormat('VCF'),
  CRAM: CRAM_FORMAT,
};
