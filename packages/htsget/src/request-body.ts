import { RequestBodyError, readJsonBody } from '@htskit/http';
import { HtsgetError } from '@htskit/protocol';

/** The request's body as text. Throws PayloadTooLarge beyond `maxBytes`, InvalidInput where it is not JSON's UTF-8. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  try {
    return await readJsonBody(request, maxBytes);
  } catch (cause) {
    if (!(cause instanceof RequestBodyError)) throw cause;
    throw new HtsgetError(cause.code === 'TOO_LARGE' ? 'PayloadTooLarge' : 'InvalidInput', cause.message, { cause });
  }
}
