import type { Executor } from '../database.ts';

/** Callers that wrote recently, in any process. */
export type RecentWrites = {
  /** Resolves when the write is visible to every process. */
  readonly note: (caller: string) => Promise<void>;
  readonly isRecent: (caller: string) => Promise<boolean>;
  readonly sweep: () => Promise<void>;
};

/** Duration for which a caller reads from the primary after a write. */
export const recentSeconds = 5;
/** Interval of notes for a caller that writes often. A note is valid for that much longer. */
const noteEveryMs = 1_000;
const keptSeconds = 60;
const notedMax = 10_000;

export function createRecentWrites(
  database: Executor,
  now: () => number = () => performance.now(),
): RecentWrites {
  /** Time of this process's last note for each caller, the most recent last. */
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
