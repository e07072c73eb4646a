import { toArrow } from '@htskit/records/arrow';
import { AsyncByteQueue, RecordBatchFileWriter, RecordBatchStreamWriter } from 'apache-arrow';
import type { Table } from './table.js';

/** Collects what a writer of Arrow writes, so that only one batch is in memory. */
class WrittenChunks extends AsyncByteQueue {
  #chunks: Uint8Array[] = [];

  override write(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }
}

/** Yields a table as an Arrow IPC stream, or as a file of Arrow, which has an index of its batches at its end. */
export async function* writeArrow(
  { batches, references }: Table,
  { isFile }: { readonly isFile: boolean },
): AsyncGenerator<Uint8Array, void> {
  const written = new WrittenChunks();
  const writer = isFile ? new RecordBatchFileWriter() : new RecordBatchStreamWriter();
  writer.reset(written);
  for await (const batch of batches) {
    writer.write(toArrow(batch, { references }));
    yield* written.take();
  }
  writer.finish();
  yield* written.take();
}
