import { ConnectorError } from '../error.ts';
import { foreignServer } from '../network/greeting.ts';
import { tlsError } from '../network/tls.ts';
import type { HttpTarget } from './client.ts';

/** Parts of the messages about a failed connection that depend on the engine. */
export type FailureWords = {
  /** Name of the expected protocol, such as `ClickHouse`. */
  readonly protocol: string;
  /** Name of the peer, such as `the server`. */
  readonly what: string;
  /** Advice for an untrusted certificate of an engine without TLS modes. Default: advice to choose another mode. */
  readonly untrusted?: string;
};

/** Converts a failure of a connection over HTTP into an error of the port. */
export function httpFailure(error: unknown, target: HttpTarget, texts: FailureWords): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const failedTls = tlsError(error, target);
  if (failedTls) return withoutModes(failedTls, texts);
  if (isNoHttp(error)) return foreignServer(target, { protocol: texts.protocol, cause: error });
  const engineCode = systemCodeOf(error);
  return new ConnectorError('connection-lost', `The connection to ${texts.what} was lost.`, {
    ...(engineCode !== undefined && { engineCode }),
    cause: error,
  });
}

/** Replaces the advice to choose a TLS mode for engines that always verify the certificate. */
const withoutModes = (error: ConnectorError, { untrusted }: FailureWords): ConnectorError =>
  error.engineCode === undefined || untrusted === undefined
    ? error
    : new ConnectorError('tls-failed', `The server’s certificate is not trusted. ${untrusted}`, {
        engineCode: error.engineCode,
        cause: error.cause,
      });

const systemCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const isNoHttp = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'HTTPParserError' || (systemCodeOf(error) ?? '').startsWith('HPE_'));
