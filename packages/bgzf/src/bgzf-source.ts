/** Options of a read. The object is handed to the source as it is, with whatever else it carries. */
export interface SourceOptions {
  readonly signal?: AbortSignal | undefined;
  /** The version of the object that is expected, for sources that know versions. */
  readonly version?: string | undefined;
}

/** Where compressed bytes come from. Ranges are half-open, in bytes, and clipped at the end of the file. */
export interface BgzfSource {
  read(range: { readonly start: number; readonly end: number }, options?: SourceOptions): Promise<Uint8Array>;
  stream(range: { readonly start: number; readonly end: number }, options?: SourceOptions): ReadableStream<Uint8Array>;
}

/** The chunks of a stream, which is cancelled as soon as the caller stops. Not all runtimes iterate streams themselves. */
export async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Does nothing to a stream that has ended. Whoever stops early does not care whether that works.
    await reader.cancel().catch(() => undefined);
  }
}
