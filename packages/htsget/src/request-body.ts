import { HtsgetError } from '@htskit/protocol';

/** The request's body as text. Throws PayloadTooLarge beyond `maxBytes`, InvalidInput where it is not JSON's UTF-8. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const contentType = request.headers.get('content-type');
  if (contentType !== null && !/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType)) {
    throw new HtsgetError('InvalidInput', 'the body of a POST is application/json');
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let byteLength = 0;
  const reader = request.body?.getReader();
  if (reader === undefined) return text;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      byteLength += read.value.length;
      if (byteLength > maxBytes) throw new HtsgetError('PayloadTooLarge', `the body is longer than ${maxBytes} bytes`);
      text += decoder.decode(read.value, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    await reader.cancel(error);
    if (error instanceof TypeError) throw new HtsgetError('InvalidInput', 'the body is not UTF-8', { cause: error });
    throw error;
  }
}
