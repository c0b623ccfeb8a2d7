import type { DataSourceTarget } from '../../gateways/run-sql/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { connectionUnreadable, openConnection, type Vault } from './connection.ts';
import type { LoginNotes } from './login-notes.ts';
import { type SealedSource, sealedConnections } from './store.ts';

/** A live data source with its secrets, as the run-SQL gateway needs it. Never present one. */
export type OpenDataSource = {
  readonly id: number;
  readonly name: string;
  readonly engine: string;
  readonly connection: Readonly<Record<string, unknown>>;
  /** Present when a privileged login is tolerated. */
  readonly noteLogin: DataSourceTarget['noteLogin'];
};

/** Converts the source to a target for a step of a run. */
export const targetOf = ({ id, engine, connection, noteLogin }: OpenDataSource): DataSourceTarget => ({
  id: String(id),
  engine,
  connection,
  noteLogin,
});

/** Dependencies that decrypt sources. */
export type Opening = { readonly vault: Vault; readonly logins: Pick<LoginNotes, 'noteOf'> };

/** Decrypts a stored source. Throws a refusal (409) when that fails. */
export function openSource({ vault, logins }: Opening, row: SealedSource): OpenDataSource {
  const { id, name, engine } = row;
  const connection = openConnection(vault, id, row.connection_sealed);
  if (!connection) throw connectionUnreadable(name);
  return { id, name, engine, connection, noteLogin: logins.noteOf(row) };
}

/**
 * Decrypts live data sources by id, each once. Omits missing and archived sources. Contains no permission check: the
 * caller must have checked access.
 *
 * @throws Refusal (409) with the source whose stored connection cannot be decrypted.
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
