import type { Executor } from '../database.ts';

/** Who has changed something lately, in whatever process. */
export type RecentWrites = {
  /** Resolves when every process would know of it. */
  readonly note: (caller: string) => Promise<void>;
  readonly isRecent: (caller: string) => Promise<boolean>;
  readonly sweep: () => Promise<void>;
};

/** How long whoever has changed something reads from the primary. */
export const recentSeconds = 5;
/** One who changes much is noted once a second; what is noted counts so much longer. */
const noteEveryMs = 1_000;
const keptSeconds = 60;
const notedMax = 10_000;

export function createRecentWrites(
  database: Executor,
  now: () => number = () => performance.now(),
): RecentWrites {
  /** When this process noted each caller last, the one noted last at the end. */
  const noted = new Map<string, number>();
  const forget = (caller: string): void => void noted.delete(caller);
  return {
    note: async (caller) => {
      const last = noted.get(caller);
      if (last !== undefined && now() - last < noteEveryMs) return;
      forget(caller);
      noted.set(caller, now());
      const [oldest] = noted.keys();
      if (noted.size > notedMax && oldest !== undefined) forget(oldest);
      await database
        .query({
          name: 'note_write',
          text: `insert into svc.recent_writes (caller, written_at) values ($1, now())
            on conflict (caller) do update set written_at = excluded.written_at`,
          values: [caller],
        })
        .catch((error: unknown) => {
          forget(caller);
          throw error;
        });
    },
    isRecent: async (caller) => {
      const last = noted.get(caller);
      if (last !== undefined && now() - last < recentSeconds * 1_000 + noteEveryMs) return true;
      const { rows } = await database.query({
        name: 'has_written',
        text: `select from svc.recent_writes where caller = $1 and written_at > now() - make_interval(secs => $2)`,
        values: [caller, recentSeconds + noteEveryMs / 1_000],
      });
      return rows.length > 0;
    },
    sweep: async () => {
      await database.query(
        `delete from svc.recent_writes where written_at < now() - make_interval(secs => ${keptSeconds})`,
      );
    },
  };
}
