import { randomUUID } from 'node:crypto';
import type { BoundValue } from '../bound-value.ts';
import { serverLimitMs, startDeadline } from '../deadline.ts';
import { ConnectorError } from '../error.ts';
import { type HttpAnswer, type HttpClient, openHttpClient } from '../http/client.ts';
import { readErrorText } from '../http/error-text.ts';
import type { HiddenSecret } from '../http/hidden-secret.ts';
import type { CallOptions, Dial } from '../port.ts';
import { clickhouseError, connectionError, notClickhouse, secretOf } from './errors.ts';
import { requestParameters } from './parameters.ts';
import { type Profile, profileStatement, readProfile } from './profile.ts';
import type { ClickhouseConnection } from './settings.ts';

/** One call to a server. It uses its own connection, which ends with the call. */
export type Session = {
  readonly profile: Profile;
  /** Secret that no message may repeat. */
  readonly secret: HiddenSecret;
  /** Sends a statement. Resolves with the answer after the server has reported success so far. */
  readonly ask: (sql: string, values?: readonly BoundValue[]) => Promise<HttpAnswer>;
  /** Converts any failure into the port's error. */
  readonly explain: (error: unknown, sql?: string) => ConnectorError;
  /** Ends the session after the answer was read to its end. */
  readonly finish: () => Promise<void>;
  /** Cancels the running statement. May be called at any time, and never rejects. */
  readonly abandon: () => Promise<void>;
};

/** One array per line, after a line of names and a line of types. */
export const rowFormat = 'JSONCompactEachRowWithNamesAndTypes';
const profileFormat = 'JSONEachRow';
const profileBytesMax = 262_144;
const killAnswerBytesMax = 65_536;
const killTimeoutMs = 5_000;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const signInStatuses = new Set([401, 403]);

/** Connects and queries which settings the user may send. */
export async function openSession(
  connection: ClickhouseConnection,
  options: Pick<CallOptions, 'dial' | 'signal' | 'timeoutMs' | 'pauses'>,
): Promise<Session> {
  const deadline = startDeadline(options);
  const client = await openHttpClient(connection, { dial: options.dial, signal: deadline.signal });
  const explain = (error: unknown): ConnectorError => deadline.reason() ?? connectionError(error, connection);
  const end = async (): Promise<void> => {
    deadline.dispose();
    await client.close();
  };
  try {
    const target: Target = { client, connection, secret: secretOf(connection) };
    const answer = await send(target, profileStatement, [['default_format', profileFormat]]);
    const limitMs = serverLimitMs(options.timeoutMs, options.pauses);
    const profile = readProfile(await readText(answer, profileBytesMax), limitMs);
    if (!profile) throw notClickhouse(connection);
    return startSession({ target, profile, explain, end, dial: options.dial, aborted: deadline.signal });
  } catch (error) {
    await end();
    throw explain(error);
  }
}

type Start = {
  readonly target: Target;
  readonly profile: Profile;
  readonly explain: (error: unknown) => ConnectorError;
  readonly end: () => Promise<void>;
  readonly dial: Dial;
  readonly aborted: AbortSignal;
};

function startSession({ target, profile, explain, end, dial, aborted }: Start): Session {
  let running: string | undefined;
  const finish = async (): Promise<void> => {
    aborted.removeEventListener('abort', onAbort);
    running = undefined;
    await end();
  };
  const abandon = async (): Promise<void> => {
    const queryId = running;
    await finish();
    if (queryId !== undefined) await kill(target.connection, queryId, dial);
  };
  // Cancels immediately, even if no caller is reading rows.
  const onAbort = () => void abandon();
  aborted.addEventListener('abort', onAbort, { once: true });
  return {
    profile,
    secret: target.secret,
    ask: async (sql, values = []) => {
      if (aborted.aborted) throw aborted.reason;
      running = randomUUID();
      const answer = await send(
        target,
        sql,
        [
          ['default_format', rowFormat],
          ['query_id', running],
          ...profile.settings,
          ...requestParameters(values),
        ],
        sql,
      );
      if (answer.header('x-clickhouse-format') !== rowFormat) throw otherFormat(answer);
      return answer;
    },
    explain,
    finish,
    abandon,
  };
}

const otherFormat = (answer: HttpAnswer): ConnectorError =>
  answer.header('x-clickhouse-format') === undefined
    ? new ConnectorError('not-a-read', 'Only statements that give rows are allowed here.')
    : new ConnectorError('syntax-refused', 'FORMAT is not available here. Remove it.');

type Target = {
  readonly client: HttpClient;
  readonly connection: ClickhouseConnection;
  readonly secret: HiddenSecret;
};
type Parameters = readonly (readonly [name: string, value: string])[];

/** Headers contain bytes. The server reads them as UTF-8. */
const headerText = (text: string): string => Buffer.from(text).toString('latin1');

async function send(target: Target, body: string, parameters: Parameters, sql?: string): Promise<HttpAnswer> {
  const { client, connection } = target;
  const query = new URLSearchParams();
  for (const [name, value] of parameters) query.set(name, value);
  query.set('database', connection.database);
  const answer = await client.post({
    path: `/?${query}`,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-clickhouse-user': headerText(connection.user),
      'x-clickhouse-key': headerText(connection.password),
    },
    body,
  });
  if (answer.status === 200) {
    if (answer.isEndMarked) return answer;
    throw new ConnectorError(
      'connection-failed',
      'The server’s response has no length, so a cut response could not be detected.',
    );
  }
  throw await refused(answer, target, sql);
}

async function refused(
  answer: HttpAnswer,
  { connection, secret }: Target,
  sql: string | undefined,
): Promise<ConnectorError> {
  const { host, port } = connection;
  if (redirectStatuses.has(answer.status)) {
    const message = `${host}:${port} answers with a redirect, which is not followed. Check host and port.`;
    return new ConnectorError('connection-failed', message);
  }
  const { text, failure } = await readErrorText(answer, secret);
  const serverError = clickhouseError(text, { secret, sql });
  if (serverError) return serverError;
  if (failure !== undefined) throw failure;
  if (signInStatuses.has(answer.status))
    return new ConnectorError('authentication-failed', `${host}:${port} refuses the user or the password.`);
  return notClickhouse(connection);
}

async function readText(answer: HttpAnswer, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    chunks.push(chunk.subarray(0, bytesMax - bytes));
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks).toString();
}

/** Kills a statement by its query id, on a separate connection. Users may kill their own statements. */
async function kill(connection: ClickhouseConnection, queryId: string, dial: Dial): Promise<void> {
  const signal = AbortSignal.timeout(killTimeoutMs);
  const client = await openHttpClient(connection, { dial, signal });
  try {
    const target = { client, connection, secret: secretOf(connection) };
    const answer = await send(target, `KILL QUERY WHERE query_id = '${queryId}' ASYNC`, []);
    await readText(answer, killAnswerBytesMax);
  } catch {
    // No further step is needed: the server ends a statement with its connection, or after its time limit.
  } finally {
    await client.close();
  }
}
