/** Why a body was refused: it is not announced as JSON, not UTF-8, or too long. */
export type RequestBodyErrorCode = 'NOT_JSON' | 'NOT_UTF8' | 'TOO_LARGE';

/** A body that cannot be read; each protocol has its own error for it. Clients may be shown the message. */
export class RequestBodyError extends Error {
  override readonly name = 'RequestBodyError';
  readonly code: RequestBodyErrorCode;

  constructor(code: RequestBodyErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The request's body as text, empty if there is none; reads no more than one chunk beyond `maxBytes`. Throws RequestBodyError. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<string> {
  const contentType = request.headers.get('content-type');
  if (contentType !== null && !/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType)) {
    throw new RequestBodyError('NOT_JSON', 'the body of a POST is application/json');
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let byteLength = 0;
  const reader = request.body?.getReader();
  if (reader === undefined) return text;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      byteLength += read.value.length;
      if (byteLength > maxBytes) throw new RequestBodyError('TOO_LARGE', `the body is longer than ${maxBytes} bytes`);
      text += decoder.decode(read.value, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    await reader.cancel(error);
    if (error instanceof TypeError) throw new RequestBodyError('NOT_UTF8', 'the body is not UTF-8', { cause: error });
    throw error;
  }
}
