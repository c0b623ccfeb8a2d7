import type { Executor, Tx } from '../../platform/db/index.ts';

/** Outcome of a run. `CutShort`: its process stopped before the end. */
export type RunOutcome = 'Applied' | 'Incomplete' | 'Failed' | 'CutShort';

export type NewRun = { readonly folder: string; readonly manager: string; readonly actAs: string };

/** A run without a heartbeat for this duration is over. */
const silentSeconds = 15;
const keptMax = 100;

/** Begins a run, unless another process has an active run. @returns its id. */
export async function beginRun(tx: Tx, { folder, manager, actAs }: NewRun): Promise<number | undefined> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('svc.provisioning'))`);
  await tx.query(
    `update svc.provisioning_runs set finished_at = now(), outcome = 'CutShort'
      where finished_at is null and beat_at < now() - make_interval(secs => $1)`,
    [silentSeconds],
  );
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.provisioning_runs (folder, manager, act_as) select $1, $2, $3
      where not exists (select from svc.provisioning_runs where finished_at is null) returning id`,
    [folder, manager, actAs],
  );
  const [run] = rows;
  if (run) await tx.query('delete from svc.provisioning_runs where id <= $1', [run.id - keptMax]);
  return run?.id;
}

/** Records the heartbeat of a run. */
export async function beat(executor: Executor, id: number): Promise<void> {
  await executor.query('update svc.provisioning_runs set beat_at = now() where id = $1', [id]);
}

export async function endRun(
  tx: Tx,
  id: number,
  { outcome, detail }: { readonly outcome: RunOutcome; readonly detail: string | null },
): Promise<void> {
  await tx.query(
    'update svc.provisioning_runs set finished_at = now(), outcome = $2, detail = $3 where id = $1',
    [id, outcome, detail],
  );
}
