import type { ChannelAnswer } from './channel.ts';
import { sourceName } from './message/message.ts';
import { type DeliveryNote, type DeliveryOutcome, failureOfStatus } from './outcome.ts';

/** Headers of every JSON request of a channel. */
export const jsonHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'user-agent': sourceName,
};

/** Returns the outcome of a response: 2xx is sent, any other status is a failure. */
export function outcomeOf(answer: ChannelAnswer, notes: readonly DeliveryNote[]): DeliveryOutcome {
  if (!answer.ok) {
    const { reason, mayHaveArrived, durationMs } = answer;
    return { outcome: 'Failed', reason, mayHaveArrived, durationMs, bytesSent: 0 };
  }
  const { status: httpStatus, bytesSent, durationMs } = answer;
  const reason = failureOfStatus(httpStatus);
  if (reason) {
    const { retryAfterSeconds } = answer;
    const asked = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return { outcome: 'Failed', reason, mayHaveArrived: true, httpStatus, bytesSent, durationMs, ...asked };
  }
  return { outcome: 'Sent', notes, httpStatus, bytesSent, durationMs };
}
