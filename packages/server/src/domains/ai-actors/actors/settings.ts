import { type AiActorChange, aiActorDefaults } from '@svc/contract';
import { type Caller, isAdmin } from '../../../platform/access/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import { brokenRule, forbidden } from '../../../platform/http/index.ts';
import { type ActorRow, type ActorSettings, liveRecipients } from '../store.ts';
import type { AiActorsDeps } from './deps.ts';

/** Cron expression that is validated in place of an absent schedule, to obtain the time zone. */
const placeholderSchedule = '0 6 * * *';

/** Returns complete settings. Omitted members retain their stored value or get their default. */
export async function settingsOf(
  { schedules }: Pick<AiActorsDeps, 'schedules'>,
  tx: Tx,
  caller: Caller,
  input: AiActorChange,
  before?: ActorRow,
): Promise<ActorSettings> {
  const cron = input.thinkSchedule ?? null;
  const schedule = await schedules.explain(cron ?? placeholderSchedule, input.timeZone ?? before?.timeZone);
  const recipientIds = [...new Set(input.defaultRecipientIds ?? [])];
  const live = await liveRecipients(tx, recipientIds);
  if (live.length !== recipientIds.length)
    throw brokenRule('invalid-ai-actor', 'A recipient does not exist or is archived.', [
      { path: '/defaultRecipientIds', message: 'names a recipient that does not exist or is archived' },
    ]);
  const { maxQueries, maxSubscriptionsPerQuery, maxActionsPerPlan, monthlyTokens } = aiActorDefaults;
  return {
    name: input.name.trim(),
    instructions: input.instructions.trim(),
    additionalContext: input.additionalContext?.trim() || null,
    thinkSchedule: cron === null ? null : schedule.cronExpression,
    timeZone: schedule.timeZone,
    isThinkingAfterRuns: input.isThinkingAfterRuns ?? false,
    maxQueries: input.maxQueries ?? maxQueries,
    maxSubscriptionsPerQuery: input.maxSubscriptionsPerQuery ?? maxSubscriptionsPerQuery,
    maxActionsPerPlan: input.maxActionsPerPlan ?? maxActionsPerPlan,
    monthlyTokens: input.monthlyTokens ?? monthlyTokens,
    defaultRecipientIds: recipientIds,
    requiresApproval: requiresApprovalOf(caller, input, before?.requiresApproval ?? true),
  };
}

function requiresApprovalOf(caller: Caller, input: AiActorChange, before: boolean): boolean {
  const requiresApproval = input.requiresApproval ?? before;
  if (requiresApproval !== before && !isAdmin(caller))
    throw forbidden(
      'approval-set-by-admin',
      'Whether an actor needs approval for its queries is set by an Admin.',
    );
  return requiresApproval;
}
