import type { Executor } from '../../platform/db/index.ts';
import { connectionUnreadable, openConnection, type Vault } from './connection.ts';
import type { OpenDataSource } from './open.ts';

/** A live data source of a project. It asks nobody's permission: the caller has decided about the project. */
export type LinkedSource = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly engine: string;
  /** With its secrets, for the run-SQL door. Throws a refusal (409) when what is stored does not open any more. */
  readonly open: () => OpenDataSource;
};

export type LinkedSources = (executor: Executor, projectId: number) => Promise<readonly LinkedSource[]>;

type Row = Omit<LinkedSource, 'open'> & { readonly connection_sealed: string };

/** The live data sources of a project, by name. */
export const createLinkedSources =
  (vault: Vault): LinkedSources =>
  async (executor, projectId) => {
    const { rows } = await executor.query<Row>({
      name: 'linked-sources',
      text: `select d.id, d.name, d.description, d.engine, d.connection_sealed
               from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id
              where l.project_id = $1 and d.archived_at is null order by lower(d.name) collate "C", d.id`,
      values: [projectId],
    });
    return rows.map(({ connection_sealed: sealed, ...source }) => ({
      ...source,
      open: () => {
        const connection = openConnection(vault, source.id, sealed);
        if (!connection) throw connectionUnreadable(source.name);
        return { id: source.id, name: source.name, engine: source.engine, connection };
      },
    }));
  };
