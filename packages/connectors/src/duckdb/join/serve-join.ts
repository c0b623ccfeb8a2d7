import type { Channel } from '../../embedded/entry.ts';
import type { Job, ToChild } from '../../embedded/messages.ts';
import { sendRows } from '../../embedded/send-rows.ts';
import { ConnectorError } from '../../error.ts';
import { type Duckdb, openDuckdb } from '../child/instance.ts';
import { startStatement } from '../child/statement.ts';
import { duckdbError } from '../errors.ts';
import { quoteName } from '../names.ts';
import { createStaging, type Staging } from './staging.ts';

/** Serves a join: receives tables in batches, then runs one query over them. */
export async function serveJoin(
  { resources }: Extract<Job, { type: 'join' }>,
  channel: Channel,
  temporaryFolder: string,
): Promise<void> {
  const duckdb = await openDuckdb({ resources, temporaryFolder });
  try {
    await serveMessages(duckdb, channel);
  } catch (error) {
    throw duckdbError(error);
  } finally {
    duckdb.close();
  }
}

async function serveMessages(duckdb: Duckdb, channel: Channel): Promise<void> {
  let table = '';
  let staging: Staging | undefined;
  const notes: string[] = [];
  for (;;) {
    const message = await channel.receive();
    switch (message.type) {
      case 'create-table':
        table = message.table;
        staging = await createStaging(duckdb.connection, table, message.columns);
        break;
      case 'append':
        staging?.append(message.batch);
        break;
      case 'finish-table':
        notes.push(...((await staging?.finish()) ?? []));
        if (message.alias !== null) await createAlias(duckdb, table, message.alias);
        break;
      case 'query': {
        await duckdb.lock();
        return runQuery(duckdb, message, channel).catch((error: unknown) => {
          throw withNotes(duckdbError(error), notes);
        });
      }
      case 'stop':
        return;
      default:
        throw new ConnectorError('engine-unavailable', `The join was sent ${message.type} out of turn.`);
    }
    channel.send({ type: 'accepted' });
  }
}

async function runQuery(
  duckdb: Duckdb,
  query: Extract<ToChild, { type: 'query' }>,
  channel: Channel,
): Promise<void> {
  const source = await startStatement(duckdb.connection, query, () => undefined);
  await sendRows(source, channel, query.limits);
}

/** Appends the notes to an error of the statement, which may have used a text column as a number. */
function withNotes(error: ConnectorError, notes: readonly string[]): ConnectorError {
  if (notes.length === 0 || error.code !== 'statement-failed') return error;
  const message = `${error.message.replace(/[.\s]*$/, '.')} ${notes.join(' ')}`;
  return new ConnectorError(error.code, message, {
    ...(error.position ? { position: error.position } : {}),
    ...(error.engineCode === undefined ? {} : { engineCode: error.engineCode }),
    origin: error.origin,
    cause: error,
  });
}

/** Creates a view under the step's name, the second name of its table. */
async function createAlias(duckdb: Duckdb, table: string, alias: string): Promise<void> {
  await duckdb.connection.run(`CREATE VIEW ${quoteName(alias)} AS SELECT * FROM ${quoteName(table)}`);
}
