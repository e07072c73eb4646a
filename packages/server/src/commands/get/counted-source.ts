import type { ByteSource } from '@htskit/io';

/** Wraps a source and reports the total number of bytes that were read from it. */
export function countedSource(source: ByteSource, onProgress: (bytesRead: number) => void): ByteSource {
  let bytesRead = 0;
  const count = (chunk: Uint8Array): void => {
    bytesRead += chunk.length;
    onProgress(bytesRead);
  };
  return {
    key: source.key,
    stat: (options) => source.stat(options),
    async read(range, options) {
      const bytes = await source.read(range, options);
      count(bytes);
      return bytes;
    },
    stream(range, options) {
      const reader = source.stream(range, options).getReader();
      return new ReadableStream(
        {
          async pull(controller) {
            const { done, value } = await reader.read();
            if (done) return controller.close();
            count(value);
            controller.enqueue(value);
          },
          cancel: (reason) => reader.cancel(reason),
        },
        { highWaterMark: 0 },
      );
    },
  };
}
