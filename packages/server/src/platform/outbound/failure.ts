/** Why no answer came: a closed list, with texts that tell nothing about the other side. */
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

/** A code of `outboundFailureTexts`. */
export type OutboundFailure = keyof typeof outboundFailureTexts;

/** Where on the way a request was when it failed; for the log. */
export type OutboundStage = 'check' | 'resolve' | 'connect' | 'tls' | 'request' | 'answer';

/**
 * A refused or failed connection. Its message is the generic text of its code; what is behind it is in `cause`,
 * which goes to the log and never to a result.
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

/** OpenSSL's and Node's words for a certificate that proves nothing about the name that was asked for. */
const untrusted = /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA)/;
/** Their words for an answer that is no TLS at all. */
const noTls = /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL))/;

/** Why a TLS handshake failed, as far as its error tells. */
export function tlsFailureOf(error: unknown): OutboundFailure {
  const code = errorCodeOf(error) ?? '';
  if (untrusted.test(code)) return 'CertificateNotTrusted';
  return noTls.test(code) ? 'TlsNotSpoken' : 'TlsFailed';
}

/** The code property of an error of Node or undici, if it has one. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
