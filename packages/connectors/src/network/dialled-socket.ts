import type { Socket } from 'node:net';
import { ConnectorError } from '../error.ts';
import type { Dial } from '../port.ts';

/** Opens the connection through `dial`. Converts a refusal into a `ConnectorError`. */
export async function dialSocket(
  dial: Dial,
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  try {
    const socket = await dial({ host: target.host, port: target.port }, { signal });
    // Drivers add their own listener later. Until then an error must not become an uncaught exception.
    socket.on('error', () => undefined);
    socket.setNoDelay(true);
    return socket;
  } catch (error) {
    if (signal.aborted && signal.reason instanceof ConnectorError) throw signal.reason;
    if (error instanceof ConnectorError) throw error;
    throw dialError(error, target);
  }
}

/** Returns the gateway's message for a refusal, and a message by the system's code for an unreachable target. */
function dialError(error: unknown, { host, port }: { host: string; port: number }): ConnectorError {
  const codes = codesOf(error);
  const code = codes.find((candidate) => networkReasons.has(candidate));
  if (code !== undefined) {
    const message = `${host}:${port} ${networkReasons.get(code)}.`;
    return new ConnectorError('connection-failed', message, { cause: error, engineCode: code });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new ConnectorError('destination-refused', message, { cause: error });
}

const causesMax = 5;

/** Returns the codes of an error and of its causes, the innermost first. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let current = error;
  for (let depth = 0; depth < causesMax && current instanceof Error; depth++) {
    if ('code' in current && typeof current.code === 'string') codes.unshift(current.code);
    current = current.cause;
  }
  return codes;
}

const notFound = 'cannot be found: the host name does not resolve';
const notReached = 'cannot be reached';
const noAnswer = 'does not answer';

/** Messages by codes of the system and the outbound gateway, for an allowed target that does not accept the connection. */
const networkReasons = new Map([
  ['ECONNREFUSED', 'refused the connection: nothing listens there'],
  ['ENOTFOUND', notFound],
  ['EAI_AGAIN', notFound],
  ['ETIMEDOUT', noAnswer],
  ['EHOSTUNREACH', notReached],
  ['ENETUNREACH', notReached],
  ['ECONNRESET', 'closed the connection'],
  ['NameNotResolved', notFound],
  ['ConnectionFailed', notReached],
  ['ConnectionLost', 'closed the connection'],
  ['TimedOut', noAnswer],
]);
