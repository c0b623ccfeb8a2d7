import type { Executor } from '../../platform/db/index.ts';
import { connectionUnreadable, openConnection, type Vault } from './connection.ts';
import { sealedConnections } from './store.ts';

/** A live data source as the run-SQL door takes it: with its secrets. Never present one. */
export type OpenDataSource = {
  readonly id: number;
  readonly name: string;
  readonly engine: string;
  readonly connection: Readonly<Record<string, unknown>>;
};

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
  (vault: Vault): OpenDataSources =>
  async (executor, ids) => {
    const rows = await sealedConnections(executor, [...new Set(ids)]);
    return rows.map(({ id, name, engine, connection_sealed: sealed }) => {
      const connection = openConnection(vault, id, sealed);
      if (!connection) throw connectionUnreadable(name);
      return { id, name, engine, connection };
    });
  };
