// Checked by the compiler alone: each line after `@ts-expect-error` must not compile.
import type { ListColumn, TagColumn } from '@htskit/formats';
import type { AlignmentFile } from '../src/index.js';

declare const file: AlignmentFile;

export async function hasWhatWasRequested(): Promise<void> {
  for await (const batch of file.columns('chr1', { fields: ['start', 'qualities'], tags: ['NM'] })) {
    const starts: Int32Array<ArrayBuffer> = batch.start;
    const qualities: ListColumn<Uint8Array<ArrayBuffer>> = batch.qualities;
    const distances: TagColumn | undefined = batch.tags.NM;
    void [batch.length, starts, qualities, distances];
    // @ts-expect-error the field was not requested
    void batch.end;
    // @ts-expect-error the tag was not requested
    void batch.tags.MD;
  }
  for await (const batch of file.columns(undefined, { fields: ['flags'] })) {
    void batch.flags;
    // @ts-expect-error no tags were requested
    void batch.tags;
  }
  // @ts-expect-error there is no such field
  file.columns(undefined, { fields: ['pos'] });
  // @ts-expect-error the fields must be stated
  file.columns(undefined, {});
}
