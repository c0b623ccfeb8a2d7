import type { Channel, ChannelContext, Email, EmailAttachment } from '../channel.ts';
import { cut, type Message, singleLine, titleOf } from '../message/message.ts';
import type { DeliveryOutcome, FailureReason } from '../outcome.ts';
import { parseEmailAddress } from './address.ts';
import { emailHtml, emailText, type NoticeText, noticeBodies } from './html.ts';

/** Fits any pair of names and one header line of a mail. */
const subjectCharactersMax = 250;

/** Returns the email for one message, without its file. The subject is a single line for all names. */
export function emailOf(message: Message, to: string): Email {
  return {
    to,
    subject: cut(titleOf(message).toWellFormed(), subjectCharactersMax),
    html: emailHtml(message),
    text: emailText(message),
  };
}

/** Returns the email for a notice of the service. */
export function noticeEmail(notice: NoticeText, to: string): Email {
  const subject = cut(singleLine(notice.title).toWellFormed(), subjectCharactersMax);
  return { to, subject, ...noticeBodies(notice) };
}

async function fileOf(message: Message): Promise<{ attachment?: EmailAttachment }> {
  if (!message.attachment) return {};
  const { name, contentType, read } = message.attachment;
  return { attachment: { Name: name, ContentType: contentType, Data: await read() } };
}

const sizeOf = (email: Email): number =>
  Buffer.byteLength(email.html) + Buffer.byteLength(email.text) + (email.attachment?.Data.byteLength ?? 0);

/** Waits for the adapter until the signal aborts, because an adapter may ignore the signal. */
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

/** Returns true for a 4xx reply of SMTP: the server did not accept the mail and requests a later attempt. */
const isTemporary = (error: unknown): boolean =>
  error instanceof Error &&
  'responseCode' in error &&
  typeof error.responseCode === 'number' &&
  error.responseCode >= 400 &&
  error.responseCode < 500;

function reasonOf(signal: AbortSignal): FailureReason {
  if (!signal.aborted) return 'DeliveryFailed';
  return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    ? 'TimedOut'
    : 'Cancelled';
}

/** Makes one attempt to send a mail. `makeEmail` may read files; a failure in it means that nothing arrived. */
async function sendEmail(
  makeEmail: (to: string) => Promise<Email>,
  destination: string,
  { email: adapter, signal, warn }: Pick<ChannelContext, 'email' | 'signal' | 'warn'>,
): Promise<DeliveryOutcome> {
  const failed = (reason: FailureReason, mayHaveArrived: boolean, durationMs = 0, bytesSent = 0) =>
    ({ outcome: 'Failed', reason, mayHaveArrived, durationMs, bytesSent }) as const;
  if (!adapter) return failed('NoEmailAdapter', false);
  const address = parseEmailAddress(destination);
  if (!address.ok) return failed('DestinationNotAllowed', false);
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  if (signal.aborted) return failed(reasonOf(signal), false);
  let bytesSent = 0;
  let isHandedOver = false;
  try {
    const email = await untilAborted(makeEmail(address.value.address), signal);
    bytesSent = sizeOf(email);
    isHandedOver = true;
    const accepted = await untilAborted(adapter(email, signal), signal);
    const messageId = typeof accepted === 'string' ? { messageId: accepted.slice(0, 255) } : {};
    return { outcome: 'Sent', notes: [], bytesSent, durationMs: durationMs(), ...messageId };
  } catch (error) {
    warn(isHandedOver ? 'The email adapter did not accept a message.' : 'An attachment was not read.', error);
    if (isHandedOver && !signal.aborted && isTemporary(error))
      return failed('RefusedForNow', false, durationMs(), bytesSent);
    return failed(reasonOf(signal), isHandedOver, durationMs(), bytesSent);
  }
}

/** Sends a notice of the service to one user. */
export const sendNotice = (
  notice: NoticeText,
  to: string,
  context: Pick<ChannelContext, 'email' | 'signal' | 'warn'>,
): Promise<DeliveryOutcome> => sendEmail(async (address) => noticeEmail(notice, address), to, context);

/** Email through the host's adapter; the service sends none itself (spec 3 section 5.1). */
export const emailChannel: Channel = {
  type: 'Email',
  preview: ({ message }) => {
    const { subject, html, text } = emailOf(message, '');
    return { contentType: 'text/html', body: html, subject, text, isDefault: true };
  },
  deliver: ({ message, destination, mailId }, context) =>
    sendEmail(
      async (address) => ({
        ...emailOf(message, address),
        ...(mailId !== undefined && { messageId: mailId }),
        ...(await fileOf(message)),
      }),
      destination,
      context,
    ),
};
