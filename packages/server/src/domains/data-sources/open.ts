import type { DataSourceTarget } from '../../doors/run-sql/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { connectionUnreadable, openConnection, type Vault } from './connection.ts';
import type { LoginNotes } from './login-notes.ts';
import { type SealedSource, sealedConnections } from './store.ts';

/** A live data source as the run-SQL door takes it: with its secrets. Never present one. */
export type OpenDataSource = {
  readonly id: number;
  readonly name: string;
  readonly engine: string;
  readonly connection: Readonly<Record<string, unknown>>;
  /** Present where a privileged login is tolerated. */
  readonly noteLogin: DataSourceTarget['noteLogin'];
};

/** The source for a step of a run. */
export const targetOf = ({ id, engine, connection, noteLogin }: OpenDataSource): DataSourceTarget => ({
  id: String(id),
  engine,
  connection,
  noteLogin,
});

/** What opens sealed sources. */
export type Opening = { readonly vault: Vault; readonly logins: Pick<LoginNotes, 'noteOf'> };

/** Opens what is stored of a source. Throws a refusal (409) when it does not open any more. */
export function openSource({ vault, logins }: Opening, row: SealedSource): OpenDataSource {
  const { id, name, engine } = row;
  const connection = openConnection(vault, id, row.connection_sealed);
  if (!connection) throw connectionUnreadable(name);
  return { id, name, engine, connection, noteLogin: logins.noteOf(row) };
}

/**
 * Opens live data sources by id, each once; ids of missing and archived ones are left out. It asks nobody's
 * permission: the caller has decided that.
 *
 * @throws Refusal (409) naming the source whose stored connection does not open any more.
 */
export type OpenDataSources = (
  executor: Executor,
  ids: readonly number[],
) => Promise<readonly OpenDataSource[]>;

export const createOpenDataSources =
  (opening: Opening): OpenDataSources =>
  async (executor, ids) => {
    const rows = await sealedConnections(executor, [...new Set(ids)]);
    return rows.map((row) => openSource(opening, row));
  };
