import type { TowerHealth, TowerReason } from '@svc/contract';
import { towerHealths } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';

/** Share of good runs below which a subject is critical. */
const criticalRate = 0.7;
/** Share of good runs below which a subject has a warning. */
const warningRate = 0.9;

const rate = sql`(w.good::float8 / nullif(w.judged, 0))`;

/** Health for each reason, and its condition on a watched subject `w`. The most severe first. */
const rules: Readonly<
  Record<TowerReason, { readonly health: TowerHealth; readonly applies: RawBuilder<unknown> }>
> = {
  DueRunNotStarted: { health: 'Stalled', applies: sql`w.is_stalled` },
  LastRunFailed: {
    health: 'Critical',
    // The state of a contract has separate reasons.
    applies: sql`w.kind = 'Subscription' and w.last_failed_at is not null and (w.last_good_at is null or w.last_failed_at > w.last_good_at)`,
  },
  ContractFailed: { health: 'Critical', applies: sql`w.last_outcome = 'Failed'` },
  LowSuccessRate: { health: 'Critical', applies: sql`${rate} < ${criticalRate}::float8` },
  ReducedSuccessRate: {
    health: 'Warning',
    applies: sql`${rate} < ${warningRate}::float8 and ${rate} >= ${criticalRate}::float8`,
  },
  RunsMissed: { health: 'Warning', applies: sql`w.has_missed` },
  ContractError: { health: 'Warning', applies: sql`w.last_outcome = 'Error'` },
  ContractWarned: { health: 'Warning', applies: sql`w.last_outcome = 'Warned'` },
  AnomalyOpen: { health: 'Warning', applies: sql`w.has_open_anomaly` },
  TaskOverdue: { health: 'Warning', applies: sql`w.is_task_overdue` },
  NoRuns: { health: 'New', applies: sql`w.judged = 0` },
};

const isReason = (name: string): name is TowerReason => name in rules;
const reasons = Object.keys(rules).filter(isReason);

/** SQL of all reasons that apply to a watched subject `w`, the most severe first. */
export const reasonsOf = sql<TowerReason[]>`array_remove(array[${sql.join(
  reasons.map((reason) => sql`case when ${rules[reason].applies} then ${sql.lit(reason)} end`),
)}]::text[], null)`;

/** SQL of the health for the most severe of `j.reasons`. */
export const healthOf = sql<TowerHealth>`case j.reasons[1] ${sql.join(
  reasons.map((reason) => sql`when ${sql.lit(reason)} then ${sql.lit(rules[reason].health)}`),
  sql` `,
)} else 'Healthy' end`;

/** SQL expression that sorts by health, worst first. */
export const rankOfHealth = `array_position(array[${towerHealths.map((health) => `'${health}'`).join(', ')}], h.health)`;
