import tls from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { authoritiesWith, readTrustedCertificates } from './certificates.ts';
import { createConnector } from './connector.ts';
import { OutboundError } from './failure.ts';
import type { OutboundPolicy } from './policy.ts';
import type { OutboundOptions } from './port.ts';
import type { Resolve } from './resolver.ts';

/**
 * Maximum number of connections to one origin. It exceeds the number of concurrent deliveries, so that a hanging
 * host delays no other.
 */
const connectionsPerOriginMax = 64;
/** Shorter than the idle timeout of servers, so that no request uses a connection that is being closed. */
const keepAliveMs = 2_000;
/** Maximum number of policies with open connections. The oldest is closed beyond it. */
const agentsMax = 64;
const fetchAnswerBytesMax = 32 * 1024 * 1024;

export type Agents = ReturnType<typeof createAgents>;

/**
 * Creates the connection pools, one for each policy.
 *
 * @throws RangeError when a trusted certificate cannot be read.
 */
export function createAgents(
  { trustedCertificates = [], proxy = {} }: Pick<OutboundOptions, 'trustedCertificates' | 'proxy'>,
  resolve: Resolve,
  deadlines: Parameters<typeof createConnector>[0]['deadlines'],
) {
  const ca = authoritiesWith(readTrustedCertificates(trustedCertificates));
  const secureContext = tls.createSecureContext({ minVersion: 'TLSv1.2', ...(ca ? { ca } : {}) });
  const agents = new Map<OutboundPolicy, Dispatcher>();
  let isClosed = false;

  function createAgent(policy: OutboundPolicy): Dispatcher {
    const shared = {
      connect: createConnector({ policy, resolve, deadlines, secureContext }),
      connections: connectionsPerOriginMax,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      maxHeaderSize: 16 * 1024,
      maxResponseSize: policy.answerBytesMax ?? fetchAnswerBytesMax,
      allowH2: false,
    };
    if (!policy.useProxy) return new Agent(shared);
    const { httpProxy = '', httpsProxy = '', noProxy = '' } = proxy;
    const requestTls = { rejectUnauthorized: true, timeout: deadlines.tlsMs, ...(ca ? { ca } : {}) };
    return new EnvHttpProxyAgent({ ...shared, httpProxy, httpsProxy, noProxy, requestTls });
  }

  function agentFor(policy: OutboundPolicy): Dispatcher {
    if (isClosed) throw new OutboundError('Cancelled', 'check');
    const cachedAgent = agents.get(policy);
    if (cachedAgent) return cachedAgent;
    const agent = createAgent(policy);
    agents.set(policy, agent);
    const [oldest] = agents;
    if (agents.size > agentsMax && oldest) {
      agents.delete(oldest[0]);
      // Running requests complete. A failure to close has no receiver.
      void oldest[1].close().catch(() => undefined);
    }
    return agent;
  }

  return {
    /** @throws OutboundError after `close`. */
    agentFor,
    close: async (): Promise<void> => {
      isClosed = true;
      const open = [...agents.values()];
      agents.clear();
      await Promise.all(open.map((agent) => agent.destroy()));
    },
  };
}
