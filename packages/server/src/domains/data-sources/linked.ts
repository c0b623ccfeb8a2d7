import type { Executor } from '../../platform/db/index.ts';
import { type OpenDataSource, type Opening, openSource } from './open.ts';
import type { SealedSource } from './store.ts';

/** A live data source of a project. Contains no permission check: the caller must have checked the project. */
export type LinkedSource = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly engine: string;
  /**
   * Returns the source with its secrets, for the run-SQL gateway. Decrypts once per query result. Throws a refusal
   * (409) when the stored connection cannot be decrypted.
   */
  readonly open: () => OpenDataSource;
};

/** Reads the live data sources of projects, ordered by name. */
export type LinkedSources = {
  readonly of: (executor: Executor, projectId: number) => Promise<readonly LinkedSource[]>;
  /**
   * Returns SQL for the same sources as a JSON column of a statement that reads the project.
   *
   * @param projectId  Trusted SQL expression for the project's id, never a caller's text.
   */
  readonly column: (projectId: string) => string;
  /** Converts the JSON column to sources. */
  readonly read: (column: readonly LinkedRow[]) => readonly LinkedSource[];
};

/** A source as the JSON column contains it. */
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
