/** An object of R2, by the structure of its binding. */
interface LocalObject {
  readonly key: string;
  readonly size: number;
  readonly httpEtag: string;
  readonly uploaded: Date;
  readonly customMetadata?: Record<string, string>;
}

interface LocalBody extends LocalObject {
  readonly body: ReadableStream<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

interface LocalList {
  readonly objects: readonly LocalObject[];
  readonly truncated: boolean;
  readonly cursor?: string;
}

/** The binding of a bucket of workerd's R2, for use in Node. Streams are collected before they are put. */
export interface LocalBucket {
  head(key: string): Promise<LocalObject | null>;
  get(key: string, options?: object): Promise<LocalObject | LocalBody | null>;
  put(key: string, value: Uint8Array | ReadableStream, options?: object): Promise<LocalObject | null>;
  list(options?: object): Promise<LocalList>;
  delete(key: string): Promise<void>;
}

/**
 * A Worker that calls the method of the binding that a request names. The bindings that miniflare gives to Node take a synchronous
 * request for each property, and the contract of a store twenty times as long.
 */
export const BUCKET_WORKER = `
const describe = ({ key, size, httpEtag, uploaded, customMetadata }) => ({ key, size, httpEtag, uploaded, customMetadata });
export default {
  async fetch(request, { BUCKET }) {
    const { method, key, options } = JSON.parse(decodeURIComponent(request.headers.get('call')));
    const value = method === 'put' ? [await request.arrayBuffer()] : [];
    try {
      const result = await (method === 'list' ? BUCKET.list(options) : BUCKET[method](key, ...value, options));
      const json = JSON.stringify(result && method !== 'list' ? describe(result) : (result ?? null));
      const hasBody = String(result?.body !== undefined);
      return new Response(result?.body, { headers: { result: encodeURIComponent(json), 'has-body': hasBody } });
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
};`;

interface Call {
  readonly method: keyof LocalBucket;
  readonly key?: string;
  readonly options?: object | undefined;
  readonly value?: Uint8Array | ReadableStream;
}

/** Returns the bucket of a `BUCKET_WORKER`. */
export function openLocalBucket(url: URL): LocalBucket {
  const call = async ({ value, ...request }: Call): Promise<Response> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { call: encodeURIComponent(JSON.stringify(request)) },
      body: value === undefined ? null : await new Response(value as BodyInit).arrayBuffer(),
    });
    if (response.status !== 200) throw new Error(await response.text());
    return response;
  };
  const objectOf = async (request: Call): Promise<LocalObject | null> => toObject(await call(request));
  return {
    head: (key) => objectOf({ method: 'head', key }),
    get: async (key, options) => {
      const response = await call({ method: 'get', key, options: options ?? {} });
      const object = toObject(response);
      if (object === null || response.headers.get('has-body') === 'false') return object;
      return { ...object, body: response.body ?? new ReadableStream(), arrayBuffer: () => response.arrayBuffer() };
    },
    put: (key, value, options) => objectOf({ method: 'put', key, value, options }),
    list: async (options) => readResult(await call({ method: 'list', options })) as LocalList,
    delete: async (key) => void (await call({ method: 'delete', key })),
  };
}

function readResult(response: Response): unknown {
  return JSON.parse(decodeURIComponent(response.headers.get('result') ?? ''));
}

function toObject(response: Response): LocalObject | null {
  const object = readResult(response) as LocalObject | null;
  return object === null ? null : { ...object, uploaded: new Date(object.uploaded) };
}
