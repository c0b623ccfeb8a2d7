/** Reasons for a missing response, with texts that reveal nothing about the other side. Closed list. */
export const outboundFailureTexts = {
  DestinationRefused: 'The destination is not allowed by the policy.',
  AddressRefused: 'The destination was refused by the connection policy.',
  NameNotResolved: 'The name of the destination could not be resolved.',
  ConnectionFailed: 'The connection failed.',
  TlsFailed: 'The secure connection could not be established.',
  TlsNotSpoken: 'The destination does not speak TLS there.',
  CertificateNotTrusted: 'The certificate of the destination is not trusted.',
  TimedOut: 'The destination did not answer in time.',
  ConnectionLost: 'The connection ended before an answer came.',
  InvalidAnswer: 'The destination did not answer in HTTP.',
  RequestInvalid: 'The request could not be formed.',
  Cancelled: 'The request was cancelled.',
} as const;

export type OutboundFailure = keyof typeof outboundFailureTexts;

/** Stage at which a request failed, for the log. */
export type OutboundStage = 'check' | 'resolve' | 'connect' | 'tls' | 'request' | 'answer';

/**
 * A refused or failed connection. Its message is the generic text of its code. The details are in `cause`, which
 * goes to the log and never to a result.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: OutboundFailure;
  readonly stage: OutboundStage;

  constructor(code: OutboundFailure, stage: OutboundStage, cause?: unknown) {
    super(outboundFailureTexts[code], cause === undefined ? undefined : { cause });
    this.code = code;
    this.stage = stage;
  }
}

/** Error codes of OpenSSL and Node for a certificate that does not prove the requested name. */
const untrusted = /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA)/;
/** Error codes of OpenSSL and Node for a response that is not TLS. */
const noTls = /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL))/;

/** Returns the reason of a failed TLS handshake, as far as its error shows it. */
export function tlsFailureOf(error: unknown): OutboundFailure {
  const code = errorCodeOf(error) ?? '';
  if (untrusted.test(code)) return 'CertificateNotTrusted';
  return noTls.test(code) ? 'TlsNotSpoken' : 'TlsFailed';
}

/** Returns the code of a Node or undici error; undefined without one. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns, for the log, code and message of the innermost cause. The outer errors only repeat the code. */
export function describeFailure(error: OutboundError): {
  readonly errorCode?: string;
  readonly error?: string;
} {
  const { cause } = error;
  if (!(cause instanceof Error)) return {};
  const code = errorCodeOf(cause);
  return { error: cause.message.slice(0, 500), ...(code === undefined ? {} : { errorCode: code }) };
}
