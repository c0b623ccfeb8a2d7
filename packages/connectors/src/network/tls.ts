import tls from 'node:tls';
import { ConnectorError } from '../error.ts';
import type { ConnectionWarning } from '../port.ts';
import type { TlsMode } from './settings.ts';

export type TlsSettings = {
  readonly host: string;
  readonly tlsMode: TlsMode;
  readonly caCertificate?: string | undefined;
};

/** Returns the options for the TLS layer of a driver; undefined for an unencrypted connection. */
export function tlsOptions({ host, tlsMode, caCertificate }: TlsSettings): tls.ConnectionOptions | undefined {
  if (tlsMode === 'Disable') return undefined;
  return {
    rejectUnauthorized: tlsMode !== 'Require',
    minVersion: 'TLSv1.2',
    ...(caCertificate === undefined ? {} : { ca: caCertificate }),
    // The driver may pass an address or a placeholder as the name. Only the requested host counts.
    checkServerIdentity: (_name, certificate) =>
      tlsMode === 'VerifyFull' ? tls.checkServerIdentity(host, certificate) : undefined,
  };
}

/** Returns the error for a failed TLS handshake; undefined for any other error. */
export function tlsError(error: unknown, { host }: TlsSettings): ConnectorError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = error instanceof Error ? error.message : '';
  if (/does not support (SSL|secure)/i.test(text) || code === 'HANDSHAKE_NO_SSL_SUPPORT') {
    const message = `The server at ${host} does not offer TLS. Set the TLS mode to Disable only if the network is trusted.`;
    return new ConnectorError('tls-failed', message, { cause: error });
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new ConnectorError('tls-failed', `The server's certificate is not made out to ${host}.`, {
      cause: error,
    });
  }
  const timed = outOfTime.get(code);
  if (timed !== undefined) {
    const message = `The server's certificate ${timed}. Its CA certificate does not change that: have the certificate renewed at the server, and compare the clocks of both machines.`;
    return new ConnectorError('tls-failed', message, { cause: error, engineCode: code });
  }
  if (certificateCodes.has(code)) {
    const message = `The server's certificate is not trusted (${text}). Give its CA certificate, or choose the TLS mode Require to encrypt without checking.`;
    return new ConnectorError('tls-failed', message, { cause: error, engineCode: code });
  }
  if (/^ERR_(SSL|TLS)_|^EPROTO$/.test(code)) {
    return new ConnectorError('tls-failed', `The TLS handshake with ${host} failed (${code}).`, {
      cause: error,
    });
  }
  return undefined;
}

/** Certificates outside their validity period. */
const outOfTime: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['CERT_NOT_YET_VALID', 'is not valid yet'],
]);

const certificateCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_CA',
  'INVALID_PURPOSE',
]);

/** Returns warnings for the gaps of a TLS mode. Loopback gets no warning. */
export function tlsWarnings({ host, tlsMode }: TlsSettings): ConnectionWarning[] {
  if (/^(localhost|127\.|::1$)/i.test(host)) return [];
  if (tlsMode === 'Disable') {
    return [{ code: 'not-encrypted', message: 'The connection is not encrypted.' }];
  }
  if (tlsMode === 'Require') {
    return [{ code: 'not-verified', message: 'The server’s certificate is not checked.' }];
  }
  return [];
}
