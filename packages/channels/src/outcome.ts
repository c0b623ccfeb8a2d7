/**
 * Reasons of failed deliveries: a closed list, with the generic text that history shows. No text contains a message of
 * the destination (spec 3 section 5.4).
 */
export const failureTexts = {
  DeliveryFailed: 'The delivery failed.',
  RefusedForNow: 'The delivery failed.',
  ConnectionRefused: 'The connection was refused by the connection policy.',
  ConnectionFailed: 'The connection failed.',
  NameNotFound: 'The name of the destination was not found.',
  NotReached: 'The destination could not be reached.',
  TlsFailed: 'The secure connection could not be established.',
  TlsNotSpoken: 'The destination does not speak TLS there.',
  CertificateNotTrusted: 'The certificate of the destination is not trusted.',
  TimedOut: 'The destination did not answer in time.',
  DestinationNotAllowed: 'The destination is not allowed by the policy.',
  DestinationUnreadable: 'The stored destination cannot be read. Re-enter destination.',
  DestinationNotEncrypted: 'The stored destination is not encrypted.',
  ChannelDisabled: 'The channel is turned off.',
  NoEmailAdapter: 'The host has registered no email adapter.',
  Http3xx: 'The destination answered HTTP 3xx.',
  Http4xx: 'The destination answered HTTP 4xx.',
  Http5xx: 'The destination answered HTTP 5xx.',
  HttpGone: 'The destination answered that it is gone for good (HTTP 410).',
  Cancelled: 'The delivery was cancelled.',
} as const;

/** Remedy for each failure; absent if only the destination's operator can act. */
export const failureRemedies: Readonly<{ [reason in FailureReason]?: string }> = {
  ConnectionRefused: 'Use a public address, or allow the private one in the settings of the service.',
  ConnectionFailed: 'See whether the destination is up, then send again.',
  NameNotFound: 'Check the address for a slip of the pen, and that its name exists in DNS.',
  NotReached: 'Check the port, and that the destination is up and lets this service in.',
  TlsFailed: 'See whether the destination is up, then send again.',
  TlsNotSpoken: 'Check the port: a port of plain HTTP is no https address.',
  CertificateNotTrusted:
    'Renew the certificate for this name, or have the service trust the authority that signed it.',
  TimedOut: 'See whether the destination is slow or down, then send again.',
  DestinationNotAllowed: 'Ask an administrator which destinations are allowed.',
  DestinationUnreadable: 'Edit the recipient and enter its destination again.',
  DestinationNotEncrypted: 'Save the recipient again.',
  ChannelDisabled: 'Ask an administrator to turn the channel on, or use another channel.',
  NoEmailAdapter: 'Configure an SMTP server, or use another channel.',
  Http3xx: 'Use the address that it forwards to: redirects are not followed.',
  Http4xx: 'Check the address and its secret: the destination does not accept the message.',
  Http5xx: 'The destination failed. Send again once it works.',
  HttpGone: 'Enter a new destination, or detach the recipient.',
};

/**
 * Texts for readers of technical details, for reasons whose class other readers do not see. Other readers get
 * `failureTexts`.
 */
export const technicalTexts: Readonly<{
  [reason in FailureReason]?: { readonly text: string; readonly remedy: string };
}> = {
  RefusedForNow: {
    text: 'The mail server refused the message for now (SMTP 4xx).',
    remedy: 'Send again later: the server asks for another attempt.',
  },
};

/** A code of `failureTexts`. */
export type FailureReason = keyof typeof failureTexts;

/** Returns the reason of an HTTP status; undefined for a success. */
export function failureOfStatus(status: number): FailureReason | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 410) return 'HttpGone';
  if (status >= 300 && status < 400) return 'Http3xx';
  if (status >= 400 && status < 500) return 'Http4xx';
  return status >= 500 && status < 600 ? 'Http5xx' : 'DeliveryFailed';
}

/** Notes in the run's comment about a message that was sent: a closed list. */
export const noteTexts = {
  TemplateNotUsed: 'The body template could not be used; the default body was sent.',
  AttachmentNotSent: 'The channel carries no attachment; the message was sent without it.',
  CommentNotAdded: 'The issue was created, but the comment with its content could not be added.',
} as const;

/** A code of `noteTexts`. */
export type DeliveryNote = keyof typeof noteTexts;

/** Measurements of an attempt. */
export type DeliveryFigures = {
  readonly httpStatus?: number;
  readonly bytesSent: number;
  readonly durationMs: number;
};

/** Result of one delivery attempt. */
export type DeliveryOutcome =
  | ({
      readonly outcome: 'Sent';
      /** The destination's id of the message: an issue's key, the mail's message id. */
      readonly messageId?: string;
      readonly notes: readonly DeliveryNote[];
    } & DeliveryFigures)
  | ({
      readonly outcome: 'Failed';
      readonly reason: FailureReason;
      /** False only if the message certainly did not reach the destination. */
      readonly mayHaveArrived: boolean;
      /** Delay that the destination requests, in seconds. */
      readonly retryAfterSeconds?: number;
    } & DeliveryFigures);
