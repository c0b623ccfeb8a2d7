import type { Agents } from './agents.ts';
import { checkUrl, refusalTexts } from './destination.ts';
import { ExchangeError, type ExchangeLimits, exchange } from './exchange.ts';
import { describeFailure, OutboundError } from './failure.ts';
import type { OutboundOptions, OutboundRequest, OutboundResult } from './port.ts';

const totalMsDefault = 15_000;
const drainMs = 2_000;
const answerBytesMaxDefault = 64 * 1024;

/** Connection headers. A caller who sets one has a defect. */
const connectionHeaders = new Set([
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
  const header = Object.keys(headers).find((name) => connectionHeaders.has(name.toLowerCase()));
  if (header !== undefined) throw new TypeError(`The header ${header} is the connection's own.`);
}

const limitsOf = (input: OutboundRequest): ExchangeLimits => {
  const totalMs = input.totalTimeoutMs ?? totalMsDefault;
  return {
    totalMs,
    firstByteMs: input.firstByteTimeoutMs ?? totalMs,
    drainMs,
    answerBytesMax: input.answerBytesMax ?? answerBytesMaxDefault,
    keepAnswer: input.keepAnswer ?? false,
  };
};

/** Sends one request. A failure is a result, and it is logged. */
export async function sendRequest(
  { agentFor }: Pick<Agents, 'agentFor'>,
  log: OutboundOptions['log'],
  input: OutboundRequest,
): Promise<OutboundResult> {
  assertHeaders(input.headers);
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  const checked = checkUrl(input.url, input.policy);
  const fail = (error: OutboundError, mayHaveArrived: boolean, host: string, port: number) => {
    log?.({
      policy: input.policy.name,
      host,
      port,
      failure: error.code,
      stage: error.stage,
      ...describeFailure(error),
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
  const { origin, pathname, search } = url;
  const request = {
    origin,
    path: `${pathname}${search}`,
    method: input.method,
    headers: input.headers,
    body,
  };
  try {
    const answer = await exchange(agentFor(input.policy), request, limitsOf(input), input.signal);
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
