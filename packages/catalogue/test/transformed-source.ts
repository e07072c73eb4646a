import { type ByteSource, toByteStream } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';

/** Returns the source of what a function makes of the whole content of another one. */
export function transformedSource(stored: ByteSource, transform: (bytes: Uint8Array) => Uint8Array): ByteSource {
  const { key } = stored;
  const load = async (): Promise<ByteSource> => {
    const { size, version } = await stored.stat();
    const content = transform(await stored.read({ start: 0, end: size }));
    return memorySource(content, { key, ...(version !== undefined && { version }) });
  };
  return {
    key,
    stat: async (options) => (await load()).stat(options),
    read: async (range, options) => (await load()).read(range, options),
    stream: (range, options) =>
      toByteStream(
        (async function* () {
          yield await (await load()).read(range, options);
        })(),
      ),
    close: async () => stored.close?.(),
  };
}
