import type { Channel, Email } from '../channel.ts';
import { cut, type Message, titleOf } from '../message.ts';
import type { DeliveryOutcome, FailureReason } from '../outcome.ts';
import { parseEmailAddress } from './address.ts';
import { emailHtml, emailText } from './html.ts';

/** Long enough for any pair of names, short enough for one header line of a mail. */
const subjectCharactersMax = 250;

/** The email for one message; its subject is one line, whatever the names hold. */
export function emailOf(message: Message, to: string): Email {
  return {
    to,
    subject: cut(titleOf(message).toWellFormed(), subjectCharactersMax),
    html: emailHtml(message),
    text: emailText(message),
    ...(message.attachment ? { attachment: message.attachment } : {}),
  };
}

/** Waits for the adapter, but no longer than the signal: an adapter need not know how to stop. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function reasonOf(signal: AbortSignal): FailureReason {
  if (!signal.aborted) return 'DeliveryFailed';
  return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    ? 'TimedOut'
    : 'Cancelled';
}

/** Email through the host's adapter; the service sends none itself (spec 3 section 5.1). */
export const emailChannel: Channel = {
  type: 'Email',
  preview: ({ message }) => ({ contentType: 'text/html', body: emailHtml(message), isDefault: true }),
  deliver: async ({ message, destination }, { email: adapter, signal, warn }): Promise<DeliveryOutcome> => {
    const failed = (reason: FailureReason, mayHaveArrived: boolean, durationMs = 0, bytesSent = 0) =>
      ({ outcome: 'Failed', reason, mayHaveArrived, durationMs, bytesSent }) as const;
    if (!adapter) return failed('NoEmailAdapter', false);
    const address = parseEmailAddress(destination);
    if (!address.ok) return failed('DestinationNotAllowed', false);
    const email = emailOf(message, address.value.address);
    const bytesSent =
      Buffer.byteLength(email.html) +
      Buffer.byteLength(email.text) +
      (email.attachment?.data.byteLength ?? 0);
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    if (signal.aborted) return failed(reasonOf(signal), false);
    try {
      const accepted = await untilAborted(adapter(email, signal), signal);
      const messageId = typeof accepted === 'string' ? { messageId: accepted.slice(0, 255) } : {};
      return { outcome: 'Sent', notes: [], bytesSent, durationMs: durationMs(), ...messageId };
    } catch (error) {
      warn('The email adapter did not accept a message.', error);
      return failed(reasonOf(signal), true, durationMs(), bytesSent);
    }
  },
};
