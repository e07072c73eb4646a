import { streamHandle } from 'hono/aws-lambda';
import { openFunction } from './function.js';

/** Answers the events of a function URL with the invoke mode RESPONSE_STREAM. */
export const handler: ReturnType<typeof streamHandle> = streamHandle(await openFunction(process.env, 'streamed'));
