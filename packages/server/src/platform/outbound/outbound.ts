import { createAgents } from './agents.ts';
import { openTcp } from './connector.ts';
import { checkUrl, refusalTexts } from './destination.ts';
import { checkDialTarget } from './dial.ts';
import { OutboundError } from './failure.ts';
import { createFetch } from './fetch.ts';
import { dataSourcePolicy, type OutboundPolicy } from './policy.ts';
import type { DestinationCheck, Outbound, OutboundOptions } from './port.ts';
import { sendRequest } from './request.ts';
import { createSystemResolve, resolveChecked } from './resolver.ts';

const deadlineDefaults = { resolveMs: 5_000, connectMs: 5_000, tlsMs: 5_000 };

/**
 * Opens the outbound gateway.
 *
 * @throws RangeError when a trusted certificate cannot be read.
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { log } = options;
  const resolve = options.resolve ?? createSystemResolve();
  const deadlines = { ...deadlineDefaults, ...options.deadlines };
  const agents = createAgents(options, resolve, deadlines);
  const defaultDialPolicy = dataSourcePolicy();

  async function checkDestination(text: string, policy: OutboundPolicy): Promise<DestinationCheck> {
    const checked = checkUrl(text, policy);
    if (!checked.ok) return { ok: false, refusal: checked.refusal, message: refusalTexts[checked.refusal] };
    const { url, host } = checked.destination;
    if (policy.useProxy) return { ok: true, url: url.href, isResolved: false };
    try {
      await resolveChecked(resolve, host, policy, deadlines.resolveMs);
      return { ok: true, url: url.href, isResolved: true };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (error.code !== 'AddressRefused') return { ok: true, url: url.href, isResolved: false };
      return { ok: false, refusal: 'AddressNotAllowed', message: refusalTexts.AddressNotAllowed };
    }
  }

  return {
    request: (input) => sendRequest(agents, log, input),
    checkDestination,
    dial: async (target, policy = defaultDialPolicy) => {
      const { checked: _checked, ...dialed } = await checkDialTarget(
        target,
        policy,
        resolve,
        deadlines.resolveMs,
      );
      return dialed;
    },
    dialSocket: async (target, { signal, policy = defaultDialPolicy } = {}) => {
      const { host, port, checked } = await checkDialTarget(target, policy, resolve, deadlines.resolveMs);
      signal?.throwIfAborted();
      return openTcp(host, port, checked, deadlines.connectMs, signal);
    },
    fetchUnder: (policy, { totalTimeoutMs } = {}) => createFetch(agents, log, policy, totalTimeoutMs),
    close: agents.close,
  };
}
