// Checked by the compiler alone: each line after `@ts-expect-error` must not compile.
import type { VariantFile } from '../src/index.js';

declare const file: VariantFile;

export async function hasWhatWasRequested(): Promise<void> {
  for await (const batch of file.columns('chr1', { fields: ['start', 'alleles'], info: ['DP'] })) {
    const start: Int32Array<ArrayBuffer> = batch.start;
    void [start, batch.alleles.values.offsets, batch.info.DP.type];
    // @ts-expect-error the field was not requested
    void batch.end;
    // @ts-expect-error the key was not requested
    void batch.info.AF;
  }
  for await (const batch of file.columns(undefined, { fields: ['genotypes'] })) {
    void batch.genotypes.alleles;
    // @ts-expect-error no key of INFO was requested
    void batch.info;
  }
  // @ts-expect-error an unknown field
  file.columns('chr1', { fields: ['position'] });
}

export async function hasDosages(): Promise<void> {
  for await (const batch of file.genotypes('chr1', { dosage: true })) void batch.dosage;
  for await (const batch of file.genotypes('chr1')) {
    void batch.alleles;
    // @ts-expect-error dosages were not requested
    void batch.dosage;
  }
}
