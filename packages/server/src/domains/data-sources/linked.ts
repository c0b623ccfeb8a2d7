import type { Executor } from '../../platform/db/index.ts';
import { type OpenDataSource, type Opening, openSource } from './open.ts';
import type { SealedSource } from './store.ts';

/** A live data source of a project. It asks nobody's permission: the caller has decided about the project. */
export type LinkedSource = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly engine: string;
  /**
   * With its secrets, for the run-SQL door; opened once for those who were given the same reading. Throws a refusal
   * (409) when what is stored does not open any more.
   */
  readonly open: () => OpenDataSource;
};

/** The live data sources of projects, by name. */
export type LinkedSources = {
  readonly of: (executor: Executor, projectId: number) => Promise<readonly LinkedSource[]>;
  /**
   * The same as a JSON column, for a statement that reads the project as well.
   *
   * @param projectId  SQL of ours that stands for the project's id, never a caller's text.
   */
  readonly column: (projectId: string) => string;
  /** Reads that column. */
  readonly read: (column: readonly LinkedRow[]) => readonly LinkedSource[];
};

/** A source as the column holds it. */
export type LinkedRow = Omit<LinkedSource, 'open'> & SealedSource;

const columns = 'd.id, d.name, d.description, d.engine, d.connection_sealed, d.version, d.privileged_login';
const order = 'lower(d.name) collate "C", d.id';
const linkedTo = (projectId: string): string =>
  `from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id
    where l.project_id = ${projectId} and d.archived_at is null`;

export function createLinkedSources(opening: Opening): LinkedSources {
  const read: LinkedSources['read'] = (rows) =>
    rows.map((row) => {
      let opened: OpenDataSource | undefined;
      const { id, name, description, engine } = row;
      return {
        id,
        name,
        description,
        engine,
        open: () => {
          opened ??= openSource(opening, row);
          return opened;
        },
      };
    });
  return {
    read,
    of: async (executor, projectId) => {
      const { rows } = await executor.query<LinkedRow>({
        name: 'linked-sources',
        text: `select ${columns} ${linkedTo('$1')} order by ${order}`,
        values: [projectId],
      });
      return read(rows);
    },
    column: (projectId) =>
      `(select coalesce(json_agg(s), '[]') from (select ${columns} ${linkedTo(projectId)} order by ${order}) s)`,
  };
}
