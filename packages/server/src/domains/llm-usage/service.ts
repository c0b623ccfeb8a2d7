import {
  type LlmOwnUsage,
  type LlmState,
  type LlmStatus,
  type LlmUsage,
  type LlmUsageGroup,
  llmUsageDaysMax,
  plural,
} from '@svc/contract';
import {
  type Llm,
  type LlmAbsence,
  type LlmFailure,
  type LlmLimits,
  llmFailureTexts,
} from '../../gateways/llm/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { badRequest, conflict } from '../../platform/http/index.ts';
import * as store from './store.ts';

export type LlmUsageDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly llm: Pick<Llm, 'absence'>;
  /** Returns the current limits. */
  readonly limits: () => Promise<LlmLimits>;
};

/** Throws a refusal while no model is available. `need` is a sentence that names the feature. */
export type RequireModel = (caller: Pick<Caller, 'userId'>, need: string) => Promise<void>;

export type LlmUsageService = ReturnType<typeof createLlmUsageService>;

const daysDefault = 30;
const dayMs = 86_400_000;
const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** Days in UTC, both inclusive. */
type Span = { readonly from: string; readonly to: string };

/** Returns the span of the last days including today. */
const lastDays = (now: Date, days: number): Span => ({
  from: dayOf(now.getTime() - (days - 1) * dayMs),
  to: dayOf(now.getTime()),
});

/** @throws a 400 refusal when the span is reversed or too long. */
function spanOf(asked: Partial<Span>, now: Date): Span {
  const to = asked.to ?? dayOf(now.getTime());
  const from = asked.from ?? lastDays(new Date(to), daysDefault).from;
  if (from > to) throw badRequest('invalid-range', 'The range ends before it begins.');
  if (Date.parse(to) - Date.parse(from) >= llmUsageDaysMax * dayMs)
    throw badRequest('invalid-range', `The range may span ${plural(llmUsageDaysMax, 'day')} at most.`);
  return { from, to };
}

const absences: Readonly<Record<LlmAbsence, string>> = {
  NotConfigured: `${llmFailureTexts.NotConfigured} An Admin sets one up in the admin settings.`,
  SwitchedOff: llmFailureTexts.SwitchedOff,
};
const details: Readonly<Record<Exclude<LlmState, 'NotConfigured'>, string>> = {
  Ready: 'The language model can be asked.',
  BudgetSpent: 'What may be spent is spent. A SecurityAdmin can raise the limit.',
  Failing: 'The last call to the language model failed. A SecurityAdmin can test the connection.',
};

/** Outcomes of a call after which the next call will probably fail too. */
const failing: ReadonlySet<string> = new Set<LlmFailure>([
  'Unauthorised',
  'UnknownModel',
  'DestinationRefused',
  'Unreachable',
  'Overloaded',
  'TimedOut',
]);

const totalOf = (items: readonly Omit<store.UsageRow, 'key' | 'label'>[]) => {
  const sum = (value: (item: Omit<store.UsageRow, 'key' | 'label'>) => number) =>
    items.reduce((total, item) => total + value(item), 0);
  return {
    calls: sum(({ calls }) => calls),
    failedCalls: sum(({ failedCalls }) => failedCalls),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    estimatedCalls: sum(({ estimatedCalls }) => estimatedCalls),
    cost: Number(sum(({ cost }) => cost).toFixed(6)),
  };
};

/** Creates the service for usage and availability of the language model. */
export function createLlmUsageService({ database, clock, llm, limits }: LlmUsageDeps) {
  const isOver = (
    used: { readonly spent: number; readonly reserved: number },
    limit: number | null,
  ): boolean => limit !== null && used.spent + used.reserved >= limit;

  /** Returns true when the monthly budget of the service, or the daily budget of the user, is exhausted. */
  const isSpent = async (userId: number | null): Promise<boolean> => {
    const { monthlyTokens, monthlyBudget, dailyTokensPerUser } = await limits();
    const month = await store.budgetNow(database, null);
    if (isOver(month, monthlyTokens) || isOver(month.money, monthlyBudget)) return true;
    return userId !== null && isOver(await store.budgetNow(database, userId), dailyTokensPerUser);
  };

  const stateFor = async ({ userId }: Caller): Promise<Exclude<LlmState, 'NotConfigured'>> => {
    if (await isSpent(userId)) return 'BudgetSpent';
    return failing.has((await store.lastOutcome(database)) ?? '') ? 'Failing' : 'Ready';
  };

  return {
    /**
     * Refuses while no model is available. The refusal names the role that can change it.
     *
     * @param need  Sentence that names the feature.
     */
    requireModel: (async ({ userId }, need) => {
      const absence = await llm.absence();
      if (absence !== null) throw conflict('llm-not-configured', `${need} ${absences[absence]}`);
      if (await isSpent(userId)) throw conflict('llm-budget-spent', `${need} ${details.BudgetSpent}`);
    }) satisfies RequireModel,

    status: async (caller: Caller): Promise<LlmStatus> => {
      const absence = await llm.absence();
      if (absence !== null) return { state: 'NotConfigured', detail: absences[absence] };
      const state = await stateFor(caller);
      return { state, detail: details[state] };
    },

    usage: async ({
      by = 'Day',
      ...asked
    }: Partial<Span> & { readonly by?: LlmUsageGroup }): Promise<LlmUsage> => {
      const span = spanOf(asked, clock.now());
      const items = await store.usageBy(database, { by, ...span, userId: null });
      const { monthlyTokens, monthlyBudget } = await limits();
      const { spent, reserved, money } = await store.budgetNow(database, null);
      const month = { spent, reserved, limit: monthlyTokens, money: { ...money, limit: monthlyBudget } };
      return { by, ...span, items, total: totalOf(items), month };
    },

    /** Returns the caller's own usage. A host user without a record has none. */
    own: async ({ userId }: Caller, days = daysDefault): Promise<LlmOwnUsage> => {
      const rows =
        userId === null
          ? []
          : await store.usageBy(database, {
              by: 'Day',
              ...lastDays(clock.now(), days),
              userId,
            });
      const { spent, reserved } = userId === null ? store.unused : await store.budgetNow(database, userId);
      const { dailyTokensPerUser } = await limits();
      return {
        items: rows.map(({ key, label: _, ...counts }) => ({ day: key, ...counts })),
        total: totalOf(rows),
        today: { spent, reserved, limit: dailyTokensPerUser },
      };
    },
  };
}
