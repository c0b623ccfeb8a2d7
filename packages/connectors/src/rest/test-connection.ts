import { ConnectorError } from '../error.ts';
import { tlsWarnings } from '../network/tls.ts';
import type { CallOptions, ConnectionTest } from '../port.ts';
import { refusedBy } from './errors.ts';
import { openSession, type Session } from './execute.ts';
import { parseOpenApi } from './openapi.ts';
import { addressOf, requestHeaders, targetText } from './request/request.ts';
import { type RestConnection, targetOf } from './settings.ts';

/** Statuses that mean an incomplete request, not missing rights of the caller. */
const asksForMore = new Set([400, 404, 405, 406, 422]);

/** Requests the first endpoint whose path needs no value, in the same way as a run. Without one it requests the base URL. */
export async function testRestConnection(
  connection: RestConnection,
  options: CallOptions,
): Promise<ConnectionTest> {
  try {
    const session = await openSession(connection, options);
    try {
      await ask(session, connection);
    } catch (error) {
      throw session.explain(error);
    } finally {
      await session.end();
    }
    return { isOk: true, serverVersion: nameOf(connection), warnings: tlsWarnings(targetOf(connection)) };
  } catch (error) {
    if (error instanceof ConnectorError) return { isOk: false, error };
    throw error;
  }
}

async function ask({ client }: Session, connection: RestConnection): Promise<void> {
  const path = connection.endpoints.find((endpoint) => !endpoint.includes('{')) ?? '/';
  const answer = await client.get({
    path: targetText(connection, addressOf(connection, path, [])),
    headers: requestHeaders(connection),
  });
  const isAnswered = answer.status >= 200 && answer.status <= 299;
  if (!isAnswered && !asksForMore.has(answer.status)) throw await refusedBy(answer, connection);
}

function nameOf({ openApi }: RestConnection): string {
  const document = openApi === undefined ? undefined : parseOpenApi(openApi);
  return document ? `${document.title} ${document.version}`.trim() : 'REST API';
}
