import type { Permission } from '@htskit/protocol';
import type { Policy } from './policy.js';

/** A decision that is being made. */
interface RunningDecision {
  readonly permission: Promise<Permission>;
  /** The number of requests that wait for it. */
  waitingCount: number;
  /** Aborts once no request waits. */
  readonly abandonment: AbortController;
}

/**
 * Returns a policy that decides once for all requests that concern the same token, object and method at the same time: a page
 * lists its objects again with each letter of a search.
 */
export function shareDecisions(policy: Policy): (...input: Parameters<Policy>) => Promise<Permission> {
  const running = new Map<string, RunningDecision>();
  return (bearer, request) => {
    const { datatype, id, method, signal } = request;
    const key = JSON.stringify([bearer.token, datatype, id, method]);
    const known = running.get(key);
    if (known !== undefined && !known.abandonment.signal.aborted) return waitFor(known, signal);
    const abandonment = new AbortController();
    const decide = async (): Promise<Permission> => policy(bearer, { ...request, signal: abandonment.signal });
    const decision: RunningDecision = { permission: decide(), waitingCount: 0, abandonment };
    running.set(key, decision);
    const forget = (): void => {
      if (running.get(key) === decision) running.delete(key);
    };
    decision.permission.then(forget, forget);
    return waitFor(decision, signal);
  };
}

async function waitFor(decision: RunningDecision, signal: AbortSignal): Promise<Permission> {
  decision.waitingCount++;
  const leave = (): void => {
    decision.waitingCount--;
    if (decision.waitingCount === 0) decision.abandonment.abort(signal.reason);
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  try {
    return await decision.permission;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
