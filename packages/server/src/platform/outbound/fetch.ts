import { fetch } from 'undici';
import type { Agents } from './agents.ts';
import { checkUrl, refusalTexts } from './destination.ts';
import { describeFailure, OutboundError } from './failure.ts';
import type { OutboundPolicy } from './policy.ts';
import type { Outbound, OutboundDetail, OutboundOptions } from './port.ts';

/** Combines the signals of a caller and a deadline; null for neither. */
function anyOf(signal: AbortSignal | null | undefined, timeoutMs: number | undefined): AbortSignal | null {
  if (timeoutMs === undefined) return signal ?? null;
  const deadline = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, deadline]) : deadline;
}

/** Returns the reason of a failed `fetch`: the client library wraps connection errors. */
function fetchFailureOf(
  error: unknown,
  signal: AbortSignal | null,
): Pick<OutboundDetail, 'failure' | 'stage' | 'errorCode' | 'error'> {
  if (signal?.aborted)
    return { failure: signal.reason?.name === 'TimeoutError' ? 'TimedOut' : 'Cancelled', stage: 'answer' };
  const cause = error instanceof TypeError ? error.cause : error;
  const outboundError =
    cause instanceof OutboundError ? cause : new OutboundError('ConnectionLost', 'answer', cause);
  return { failure: outboundError.code, stage: outboundError.stage, ...describeFailure(outboundError) };
}

/** Creates a `fetch` that follows a policy. A redirect is an error, unless the caller handles it. */
export const createFetch =
  (
    { agentFor }: Pick<Agents, 'agentFor'>,
    log: OutboundOptions['log'],
    policy: OutboundPolicy,
    totalTimeoutMs: number | undefined,
  ): ReturnType<Outbound['fetchUnder']> =>
  async (url, init) => {
    const startedAt = performance.now();
    const checked = checkUrl(String(url), policy);
    const { host, port } = checked.ok ? checked.destination : { host: '', port: 0 };
    const signal = anyOf(init?.signal, totalTimeoutMs);
    try {
      if (!checked.ok)
        throw new OutboundError('DestinationRefused', 'check', new Error(refusalTexts[checked.refusal]));
      return await fetch(checked.destination.url, {
        ...init,
        signal,
        redirect: init?.redirect === 'manual' ? 'manual' : 'error',
        dispatcher: agentFor(policy),
      });
    } catch (error) {
      const durationMs = Math.round(performance.now() - startedAt);
      log?.({ policy: policy.name, host, port, ...fetchFailureOf(error, signal), durationMs });
      throw error;
    }
  };
