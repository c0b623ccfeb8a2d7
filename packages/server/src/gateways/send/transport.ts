import type { FailureReason, SendRequest } from '@svc/channels';
import type { Clock } from '../../platform/clock.ts';
import type { Outbound, OutboundFailure, OutboundPolicy } from '../../platform/outbound/index.ts';
import { retryAfterOf } from './retry-after.ts';

/** Ledger reasons for the failures of the outbound gateway. */
const reasons: Readonly<Record<OutboundFailure, FailureReason>> = {
  DestinationRefused: 'DestinationNotAllowed',
  AddressRefused: 'ConnectionRefused',
  NameNotResolved: 'NameNotFound',
  ConnectionFailed: 'NotReached',
  TlsFailed: 'TlsFailed',
  TlsNotSpoken: 'TlsNotSpoken',
  CertificateNotTrusted: 'CertificateNotTrusted',
  ConnectionLost: 'ConnectionFailed',
  InvalidAnswer: 'DeliveryFailed',
  RequestInvalid: 'DeliveryFailed',
  TimedOut: 'TimedOut',
  Cancelled: 'Cancelled',
};

/** Time limit of one delivery. */
export type DeliveryDeadline = {
  /** Aborts at the time limit or with the caller's signal. */
  readonly signal: AbortSignal;
  /** Returns true if the time limit has passed. */
  readonly isOver: () => boolean;
  readonly timeoutMs: number;
  /** Removes timer and listener. The caller's signal may live as long as the process. */
  readonly end: () => void;
};

/** Starts the time limit of one delivery, for all of its requests. */
export function startDeadline(timeoutMs: number, signal: AbortSignal): DeliveryDeadline {
  const controller = new AbortController();
  let isOver = false;
  const stop = () => controller.abort(signal.reason);
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new DOMException('The delivery took too long.', 'TimeoutError'));
  }, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return {
    signal: controller.signal,
    isOver: () => isOver,
    timeoutMs,
    end: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}

export type TransportOptions = {
  readonly deadline: DeliveryDeadline;
  readonly correlationId: string;
  readonly clock: Clock;
  /** Headers of the service in addition to the channel's. The channel's header of the same name takes precedence. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Creates the transport of a channel: the outbound gateway under one policy, within one deadline. */
export function createTransport(
  outbound: Pick<Outbound, 'request'>,
  policy: OutboundPolicy,
  { deadline, correlationId, clock, headers = {} }: TransportOptions,
): SendRequest {
  return async (request) => {
    const result = await outbound.request({
      ...request,
      headers: { ...headers, ...request.headers },
      policy,
      signal: deadline.signal,
      totalTimeoutMs: deadline.timeoutMs,
      correlationId,
    });
    if (result.ok) {
      const { status, body, bytesSent, durationMs, headers } = result;
      const retryAfterSeconds = retryAfterOf(status, headers['retry-after'], clock.now);
      return {
        ok: true,
        status,
        body,
        bytesSent,
        durationMs,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      };
    }
    const { failure, mayHaveArrived, durationMs } = result;
    const reason = failure === 'Cancelled' && deadline.isOver() ? 'TimedOut' : reasons[failure];
    return { ok: false, reason, mayHaveArrived, durationMs };
  };
}
