import type { GenerationState } from '@svc/contract';
import type { LlmTokens } from '../../gateways/llm/index.ts';
import type { Executor, Tx } from '../../platform/db/index.ts';

export type GenerationRow = {
  readonly id: number;
  readonly state: GenerationState;
  readonly isModelAsked: boolean;
  readonly jobId: string | null;
  readonly startedByUserId: number | null;
  readonly startedByUserName: string | null;
  readonly createdTime: Date;
  readonly finishedAt: Date | null;
  readonly tablesToDescribe: number;
  readonly tablesDescribed: number;
  readonly tokens: LlmTokens;
  readonly costMicros: number | null;
  readonly model: string | null;
  readonly failure: string | null;
};

/** Generations stored per project. */
const keptMax = 20;

const select = `select g.id, g.state, g.is_model_asked as "isModelAsked", g.job_id as "jobId",
    g.started_by_user_id as "startedByUserId", u.user_name as "startedByUserName", g.created_time as "createdTime",
    g.finished_at as "finishedAt", g.tables_to_describe as "tablesToDescribe", g.tables_described as "tablesDescribed",
    json_build_object('input', g.input_tokens, 'output', g.output_tokens, 'isEstimated', g.is_estimated) as tokens,
    g.cost_micros::float8 as "costMicros", g.model, g.failure
  from svc.documentation_generations g left join svc.users u on u.id = g.started_by_user_id`;

export async function lastGeneration(
  executor: Executor,
  projectId: number,
): Promise<GenerationRow | undefined> {
  const { rows } = await executor.query<GenerationRow>(
    `${select} where g.project_id = $1 order by g.id desc limit 1`,
    [projectId],
  );
  return rows[0];
}

export async function findGeneration(executor: Executor, id: number): Promise<GenerationRow | undefined> {
  const { rows } = await executor.query<GenerationRow>(`${select} where g.id = $1`, [id]);
  return rows[0];
}

/**
 * Inserts a generation and deletes the oldest generations. A concurrent second caller waits and gets undefined, because
 * a generation is already running.
 */
export async function insertGeneration(
  tx: Tx,
  about: { readonly projectId: number; readonly isModelAsked: boolean; readonly userId: number | null },
): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.documentation_generations (project_id, is_model_asked, started_by_user_id) values ($1, $2, $3)
     on conflict (project_id) where finished_at is null do nothing returning id`,
    [about.projectId, about.isModelAsked, about.userId],
  );
  await tx.query(
    `delete from svc.documentation_generations where project_id = $1 and finished_at is not null and id not in (
       select id from svc.documentation_generations where project_id = $1 order by id desc limit ${keptMax})`,
    [about.projectId],
  );
  return rows[0]?.id;
}

export async function setGenerationJob(tx: Tx, id: number, jobId: string): Promise<void> {
  await tx.query('update svc.documentation_generations set job_id = $2 where id = $1', [id, jobId]);
}

/** Marks a generation as running and stores the number of tables to describe. Returns false when it has ended. */
export async function markRunning(
  executor: Executor,
  id: number,
  tablesToDescribe: number,
): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.documentation_generations set state = 'Running', tables_to_describe = tables_described + $2
     where id = $1 and finished_at is null`,
    [id, tablesToDescribe],
  );
  return rowCount === 1;
}

/** Adds tokens and cost of one call. Returns false when the generation has ended. */
export async function addTaken(
  tx: Tx,
  id: number,
  taken: {
    readonly described: number;
    readonly tokens: LlmTokens;
    readonly cost: number | null;
    readonly model: string | null;
  },
): Promise<boolean> {
  const { rows } = await tx.query<{ isOpen: boolean }>(
    `update svc.documentation_generations set tables_described = tables_described + $2,
       input_tokens = input_tokens + $3, output_tokens = output_tokens + $4, is_estimated = is_estimated or $5,
       cost_micros = case when $6::bigint is null then cost_micros else coalesce(cost_micros, 0) + $6 end,
       model = coalesce($7, model)
     where id = $1 returning finished_at is null as "isOpen"`,
    [
      id,
      taken.described,
      taken.tokens.input,
      taken.tokens.output,
      taken.tokens.isEstimated,
      taken.cost === null ? null : Math.round(taken.cost * 1_000_000),
      taken.model,
    ],
  );
  return rows[0]?.isOpen === true;
}

/** Ends generations that are older than the longest possible duration of their job. */
export async function endAbandoned(executor: Executor): Promise<void> {
  await executor.query(
    `update svc.documentation_generations set state = 'Failed', failure = 'Interrupted', finished_at = now()
     where finished_at is null and created_time < now() - interval '2 hours'`,
  );
}

/** Ends a generation, unless it has already ended. */
export async function endGeneration(
  executor: Executor,
  id: number,
  state: 'Completed' | 'Failed' | 'Cancelled',
  failure: string | null = null,
): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.documentation_generations set state = $2, failure = $3, finished_at = now()
     where id = $1 and finished_at is null`,
    [id, state, failure],
  );
  return rowCount === 1;
}
