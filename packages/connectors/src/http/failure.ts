import { ConnectorError } from '../error.ts';
import { foreignServer } from '../greeting.ts';
import { tlsError } from '../tls.ts';
import type { HttpTarget } from './client.ts';

/** What people read of a connection that failed, where the engines differ. */
export type FailureWords = {
  /** What was expected to answer, such as `ClickHouse`. */
  readonly protocol: string;
  /** What the connection led to, such as `the server`. */
  readonly what: string;
  /** What to do about a certificate that is not trusted, where no TLS mode can be chosen. Default: choose one. */
  readonly untrusted?: string;
};

/** What went wrong between us and a server over HTTP, as an error of the port. */
export function httpFailure(error: unknown, target: HttpTarget, words: FailureWords): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const failedTls = tlsError(error, target);
  if (failedTls) return withoutModes(failedTls, words);
  if (isNoHttp(error)) return foreignServer(target, { protocol: words.protocol, cause: error });
  const engineCode = systemCodeOf(error);
  return new ConnectorError('connection-lost', `The connection to ${words.what} was lost.`, {
    ...(engineCode !== undefined && { engineCode }),
    cause: error,
  });
}

/** Where the certificate is always checked, there is no mode to choose. */
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
