import type { Socket } from 'node:net';
import { ConnectorError } from './error.ts';
import type { Dial } from './port.ts';

/** Opens the connection through the passed-in door and words its refusal. */
export async function dialSocket(
  dial: Dial,
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  try {
    const socket = await dial({ host: target.host, port: target.port }, { signal });
    // Drivers add their own listener later; until then an error must not be an uncaught exception.
    socket.on('error', () => undefined);
    socket.setNoDelay(true);
    return socket;
  } catch (error) {
    if (signal.aborted && signal.reason instanceof ConnectorError) throw signal.reason;
    if (error instanceof ConnectorError) throw error;
    throw dialError(error, target);
  }
}

/** The door's refusal is told in its own words; that nobody answers there is told by the system's code. */
function dialError(error: unknown, { host, port }: { host: string; port: number }): ConnectorError {
  const codes = codesOf(error);
  const code = codes.find((candidate) => networkReasons.has(candidate));
  if (code !== undefined) {
    const message = `${host}:${port} ${networkReasons.get(code)}.`;
    return new ConnectorError('connection-failed', message, { cause: error, engineCode: code });
  }
  const said = error instanceof Error ? error.message : String(error);
  return new ConnectorError('destination-refused', said, { cause: error });
}

const causesMax = 5;

/** The codes of an error and of what caused it, the innermost first. */
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

/** Codes of the system and of the outbound door for a target that is allowed but does not take the connection. */
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
