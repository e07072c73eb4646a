import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import { openFunction } from './function.js';
import { limitResult } from './response-mode.js';

const answer = handle(await openFunction(process.env, 'buffered'));

/** Answers the events of API Gateway, of load balancers, and of function URLs with the invoke mode BUFFERED. */
export async function handler(event: LambdaEvent, context: LambdaContext): Promise<object> {
  return limitResult(await answer(event, context));
}
