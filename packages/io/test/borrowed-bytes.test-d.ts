// Checked by the compiler alone: each line after `@ts-expect-error` must not compile.
import type { FileHandle } from 'node:fs/promises';
import { type BorrowedBytes, peek, toByteStream, toOwned, toOwnedChunks } from '../src/index.js';

declare const borrowed: BorrowedBytes;
declare const chunks: AsyncGenerator<BorrowedBytes, void>;
declare const controller: ReadableStreamDefaultController<Uint8Array>;
declare const writer: WritableStreamDefaultWriter<Uint8Array>;
declare const file: FileHandle;

export function refuses(kept: Uint8Array[]): void {
  // @ts-expect-error a stream queues the chunk
  controller.enqueue(borrowed);
  // @ts-expect-error
  void writer.write(borrowed);
  // @ts-expect-error a write is not over when it returns
  void file.write(borrowed);
  // @ts-expect-error a response sends its body later
  void new Response(borrowed);
  // @ts-expect-error
  toByteStream(chunks);
  // @ts-expect-error
  kept.push(borrowed);
  // @ts-expect-error the owner needs the memory, so it cannot be transferred to a worker
  void borrowed.buffer;
  // @ts-expect-error other arrays and texts are not bytes
  peek(new Uint16Array(1));
  // @ts-expect-error
  peek('text');
}

export function accepts(kept: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array> {
  controller.enqueue(toOwned(borrowed));
  kept.push(toOwned(borrowed));
  // Owned bytes are valid wherever borrowed ones are.
  const owned: BorrowedBytes = new Uint8Array(peek(borrowed).length);
  kept.push(toOwned(owned));
  return toByteStream(toOwnedChunks(chunks));
}
