import { type Datatype, HtsgetError, type HtsgetFormat, type HtsgetQuery } from '@htskit/protocol';
import type { StoredFile } from './options.js';
import type { StoredFormat } from './plan.js';

/** The formats that are answered, and what each is made from. */
const ANSWERED_FORMATS: Readonly<Record<Datatype, Partial<Record<HtsgetFormat, StoredFormat>>>> = {
  reads: { BAM: 'BAM', CRAM: 'CRAM' },
  variants: { VCF: 'VCF', BCF: 'BCF', VCFTEXT: 'VCF' },
};

/** Formats that the service can answer with. */
export function answeredFormats(datatype: Datatype): readonly HtsgetFormat[] {
  return Object.keys(ANSWERED_FORMATS[datatype]) as HtsgetFormat[];
}

/** Those that can be had of an object with these files. */
export function formatsOf(files: readonly StoredFile[], datatype: Datatype): readonly HtsgetFormat[] {
  return answeredFormats(datatype).filter((format) => findFile(files, { datatype, format }) !== undefined);
}

export type FileChoice = Pick<HtsgetQuery, 'datatype' | 'format'>;

/** The file that a format is made from. Throws `HtsgetError` UnsupportedFormat where there is none. */
export function chooseFile(files: readonly StoredFile[], choice: FileChoice): StoredFile {
  const file = findFile(files, choice);
  if (file !== undefined) return file;
  const available = formatsOf(files, choice.datatype).join(', ') || 'none';
  const message = `${choice.format} is not available for this object; available: ${available}`;
  throw new HtsgetError('UnsupportedFormat', message);
}

function findFile(files: readonly StoredFile[], { datatype, format }: FileChoice): StoredFile | undefined {
  return files.find((file) => file.format === ANSWERED_FORMATS[datatype][format]);
}
