import { type TextResponse, toTextResponse } from '../gate/operational-responses.js';

/** A process whose readiness is read. Resolves with undefined if it does not answer. */
export interface CheckedProcess {
  readReadiness(accept: string | undefined): Promise<TextResponse | undefined>;
}

/**
 * Returns the response to `/readyz` of several processes: that of the first one that is ready, without waiting for the others. If
 * none is ready, it is that of any that answers, or 503.
 */
export async function readAnyReadiness(
  processes: Iterable<CheckedProcess>,
  accept: string | undefined,
): Promise<TextResponse> {
  let refusal = toTextResponse(503, 'no process serves');
  const checks = Array.from(processes, async (checked) => {
    const response = (await checked.readReadiness(accept)) ?? refusal;
    if (response.status === 200) return response;
    refusal = response;
    throw new Error('the process is not ready');
  });
  return Promise.any(checks).catch(() => refusal);
}
