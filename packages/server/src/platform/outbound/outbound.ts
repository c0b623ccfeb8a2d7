import tls from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch } from 'undici';
import { authoritiesWith, readTrustedCertificates } from './certificates.ts';
import { createConnector, openTcp } from './connector.ts';
import { checkUrl, refusalTexts } from './destination.ts';
import { checkDialTarget } from './dial.ts';
import { ExchangeError, type ExchangeLimits, exchange } from './exchange.ts';
import { errorCodeOf, OutboundError } from './failure.ts';
import { dataSourcePolicy, type OutboundPolicy } from './policy.ts';
import type {
  DestinationCheck,
  Outbound,
  OutboundDetail,
  OutboundOptions,
  OutboundRequest,
  OutboundResult,
} from './port.ts';
import { createSystemResolve, resolveChecked } from './resolver.ts';

const defaults = {
  resolveMs: 5_000,
  connectMs: 5_000,
  tlsMs: 5_000,
  totalMs: 15_000,
  drainMs: 2_000,
  answerBytesMax: 64 * 1024,
};

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

/** Connection headers. A caller who sets one has a defect. */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-authorization',
  'proxy-connection',
]);

function assertHeaders(headers: Readonly<Record<string, string>>): void {
  const header = Object.keys(headers).find((name) => ownHeaders.has(name.toLowerCase()));
  if (header !== undefined) throw new TypeError(`The header ${header} is the connection's own.`);
}

/** Returns code and message of the innermost cause. The outer errors only repeat the code. */
function describe(error: OutboundError): Pick<OutboundDetail, 'errorCode' | 'error'> {
  const { cause } = error;
  if (!(cause instanceof Error)) return {};
  const code = errorCodeOf(cause);
  return { error: cause.message.slice(0, 500), ...(code === undefined ? {} : { errorCode: code }) };
}

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
  return { failure: outboundError.code, stage: outboundError.stage, ...describe(outboundError) };
}

/**
 * Opens the outbound gateway.
 *
 * @throws RangeError when a trusted certificate cannot be read.
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const resolve = options.resolve ?? createSystemResolve();
  const deadlines = { ...defaults, ...options.deadlines };
  const ca = authoritiesWith(readTrustedCertificates(options.trustedCertificates ?? []));
  const secureContext = tls.createSecureContext({ minVersion: 'TLSv1.2', ...(ca ? { ca } : {}) });
  const agents = new Map<OutboundPolicy, Dispatcher>();
  let isClosed = false;

  function makeAgent(policy: OutboundPolicy): Dispatcher {
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
    const { httpProxy = '', httpsProxy = '', noProxy = '' } = options.proxy ?? {};
    const requestTls = { rejectUnauthorized: true, timeout: deadlines.tlsMs, ...(ca ? { ca } : {}) };
    return new EnvHttpProxyAgent({ ...shared, httpProxy, httpsProxy, noProxy, requestTls });
  }

  function agentFor(policy: OutboundPolicy): Dispatcher {
    if (isClosed) throw new OutboundError('Cancelled', 'check');
    const cachedAgent = agents.get(policy);
    if (cachedAgent) return cachedAgent;
    const agent = makeAgent(policy);
    agents.set(policy, agent);
    const [oldest] = agents;
    if (agents.size > agentsMax && oldest) {
      agents.delete(oldest[0]);
      // Running requests complete. A failure to close has no receiver.
      void oldest[1].close().catch(() => undefined);
    }
    return agent;
  }

  async function request(input: OutboundRequest): Promise<OutboundResult> {
    assertHeaders(input.headers);
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    const checked = checkUrl(input.url, input.policy);
    const fail = (error: OutboundError, mayHaveArrived: boolean, host: string, port: number) => {
      options.log?.({
        policy: input.policy.name,
        host,
        port,
        failure: error.code,
        stage: error.stage,
        ...describe(error),
        durationMs: durationMs(),
        ...(input.correlationId === undefined ? {} : { correlationId: input.correlationId }),
      });
      return { ok: false, failure: error.code, mayHaveArrived, durationMs: durationMs() } as const;
    };
    if (!checked.ok) {
      const cause = new Error(refusalTexts[checked.refusal]);
      return fail(new OutboundError('DestinationRefused', 'check', cause), false, '', 0);
    }
    const { url, host, port } = checked.destination;
    const body = typeof input.body === 'string' ? Buffer.from(input.body, 'utf8') : (input.body ?? null);
    const totalMs = input.totalTimeoutMs ?? defaults.totalMs;
    const limits: ExchangeLimits = {
      totalMs,
      firstByteMs: input.firstByteTimeoutMs ?? totalMs,
      drainMs: defaults.drainMs,
      answerBytesMax: input.answerBytesMax ?? defaults.answerBytesMax,
      keepAnswer: input.keepAnswer ?? false,
    };
    const { origin, pathname, search } = url;
    const sent = { origin, path: `${pathname}${search}`, method: input.method, headers: input.headers, body };
    try {
      const answer = await exchange(agentFor(input.policy), sent, limits, input.signal);
      const { status, headers, body: answerBody, bytes, isComplete } = answer;
      return {
        ok: true,
        status,
        headers,
        body: answerBody,
        isBodyComplete: isComplete,
        bytesSent: body?.length ?? 0,
        bytesReceived: bytes,
        durationMs: durationMs(),
      };
    } catch (error) {
      if (error instanceof ExchangeError) return fail(error.failure, error.mayHaveArrived, host, port);
      if (error instanceof OutboundError) return fail(error, false, host, port);
      throw error;
    }
  }

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

  const defaultDialPolicy = dataSourcePolicy();

  return {
    request,
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
    fetchUnder:
      (policy, { totalTimeoutMs } = {}) =>
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
          options.log?.({ policy: policy.name, host, port, ...fetchFailureOf(error, signal), durationMs });
          throw error;
        }
      },
    close: async () => {
      isClosed = true;
      const open = [...agents.values()];
      agents.clear();
      await Promise.all(open.map((agent) => agent.destroy()));
    },
  };
}
