import type { LlmUsage, LlmUsageGroup } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';

export type UsageRow = LlmUsage['items'][number];

/** Key and label of each way to group calls. */
const groups: Readonly<Record<LlmUsageGroup, { readonly key: string; readonly label: string }>> = {
  Day: {
    key: `to_char(c.started_at at time zone 'UTC', 'YYYY-MM-DD')`,
    label: `to_char(c.started_at at time zone 'UTC', 'YYYY-MM-DD')`,
  },
  Purpose: { key: 'c.purpose', label: 'c.purpose' },
  Model: { key: 'c.model', label: 'c.model' },
  User: { key: `coalesce(c.user_id::text, '')`, label: `coalesce(u.display_name, 'Nobody in particular')` },
  Project: { key: `coalesce(c.project_id::text, '')`, label: `coalesce(p.name, 'No project')` },
};

/** Upper bound for returned groups. The total includes all groups. */
const groupsMax = 400;

/** Returns usage per group for a span of UTC days: newest day first, or largest group first. */
export async function usageBy(
  executor: Executor,
  filter: {
    readonly by: LlmUsageGroup;
    readonly from: string;
    readonly to: string;
    readonly userId: number | null;
  },
): Promise<UsageRow[]> {
  const { key, label } = groups[filter.by];
  const order =
    filter.by === 'Day'
      ? 'key desc'
      : 'sum(coalesce(c.input_tokens, 0) + coalesce(c.output_tokens, 0)) desc, key';
  const { rows } = await executor.query<UsageRow>(
    `select ${key} as key, min(${label}) as label, count(*)::int as calls,
       count(*) filter (where c.finished_at is not null and c.outcome is distinct from 'Answered')::int as "failedCalls",
       coalesce(sum(c.input_tokens), 0)::float8 as "inputTokens",
       coalesce(sum(c.output_tokens), 0)::float8 as "outputTokens",
       count(*) filter (where c.is_estimated)::int as "estimatedCalls",
       (coalesce(sum(c.cost_micros), 0) / 1e6)::float8 as cost
     from svc.llm_calls c left join svc.users u on u.id = c.user_id left join svc.projects p on p.id = c.project_id
     where c.started_at >= $1::date::timestamp at time zone 'UTC'
       and c.started_at < ($2::date + 1)::timestamp at time zone 'UTC'
       and ($3::int is null or c.user_id = $3)
     group by 1 order by ${order} limit ${groupsMax}`,
    [filter.from, filter.to, filter.userId],
  );
  return rows;
}

export type Used = {
  readonly spent: number;
  readonly reserved: number;
  readonly money: { readonly spent: number; readonly reserved: number };
  /** The budget has refused a call. */
  readonly isMissed: boolean;
};
export const unused: Used = { spent: 0, reserved: 0, money: { spent: 0, reserved: 0 }, isMissed: false };

/**
 * Returns spent and reserved amounts of a budget in its current span.
 *
 * @param userId  Null means the monthly budget of the service.
 */
export async function budgetNow(executor: Executor, userId: number | null): Promise<Used> {
  const { rows } = await executor.query<Used>(
    `select spent::float8 as spent, reserved::float8 as reserved,
       json_build_object('spent', spent_micros / 1e6, 'reserved', reserved_micros / 1e6) as money,
       missed_at is not null as "isMissed"
      from svc.llm_budgets where scope = $1 and subject_id = $2
        and starts_on = date_trunc($3, now() at time zone 'UTC')::date`,
    userId === null ? ['ServiceMonth', 0, 'month'] : ['UserDay', userId, 'day'],
  );
  return rows[0] ?? unused;
}

/**
 * Records that the notice for a budget share was sent.
 *
 * @returns the month; undefined when the notice was already sent.
 */
export async function markTold(tx: Tx, percent: number): Promise<string | undefined> {
  const { rows } = await tx.query<{ month: string }>(
    `insert into svc.llm_budgets (scope, subject_id, starts_on, told_percent)
     values ('ServiceMonth', 0, date_trunc('month', now() at time zone 'UTC')::date, $1)
     on conflict (scope, subject_id, starts_on) do update set told_percent = excluded.told_percent
       where llm_budgets.told_percent < excluded.told_percent
     returning to_char(starts_on, 'YYYY-MM') as month`,
    [percent],
  );
  return rows[0]?.month;
}

/** Returns the outcome of the last call that ended within an hour; undefined without such a call. */
export async function lastOutcome(executor: Executor): Promise<string | undefined> {
  const { rows } = await executor.query<{ outcome: string | null }>(
    `select outcome from svc.llm_calls where finished_at > now() - interval '1 hour'
      order by finished_at desc, id desc limit 1`,
  );
  return rows[0]?.outcome ?? undefined;
}
