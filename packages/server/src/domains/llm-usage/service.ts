import type { LlmOwnUsage, LlmState, LlmStatus, LlmUsage, LlmUsageGroup } from '@svc/contract';
import type { Llm, LlmFailure } from '../../doors/llm/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import * as store from './store.ts';

export type LlmUsageDeps = {
  readonly database: Database;
  readonly llm: Pick<Llm, 'isConfigured'>;
  readonly limits: { readonly monthlyTokens: number | null; readonly dailyTokensPerUser: number };
};

export type LlmUsageService = ReturnType<typeof createLlmUsageService>;

const daysDefault = 30;

const details: Readonly<Record<LlmState, string>> = {
  Ready: 'The language model can be asked.',
  NotConfigured: 'No language model is set up. An Admin sets one up in the admin settings.',
  BudgetSpent: 'The tokens that may be spent are spent. A SecurityAdmin can raise the limit.',
  Failing: 'The last call to the language model failed. A SecurityAdmin can test the connection.',
};

/** Ends of a call that say that the next one will hardly do better. */
const failing: ReadonlySet<string> = new Set<LlmFailure>([
  ...([
    'Unauthorised',
    'UnknownModel',
    'DestinationRefused',
    'Unreachable',
    'Overloaded',
    'TimedOut',
  ] as const),
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
  };
};

/** What the language model is used for, and whether it can be asked. */
export function createLlmUsageService({ database, llm, limits }: LlmUsageDeps) {
  const isSpent = async (userId: number | null, limit: number | null): Promise<boolean> => {
    if (limit === null) return false;
    const { spent, reserved } = await store.budgetNow(database, userId);
    return spent + reserved >= limit;
  };

  const stateFor = async ({ userId }: Caller): Promise<LlmState> => {
    if (!(await llm.isConfigured())) return 'NotConfigured';
    if (await isSpent(null, limits.monthlyTokens)) return 'BudgetSpent';
    if (userId !== null && (await isSpent(userId, limits.dailyTokensPerUser))) return 'BudgetSpent';
    return failing.has((await store.lastOutcome(database)) ?? '') ? 'Failing' : 'Ready';
  };

  return {
    status: async (caller: Caller): Promise<LlmStatus> => {
      const state = await stateFor(caller);
      return { state, detail: details[state] };
    },

    usage: async ({
      days = daysDefault,
      by = 'Day',
    }: {
      readonly days?: number;
      readonly by?: LlmUsageGroup;
    }): Promise<LlmUsage> => {
      const items = await store.usageBy(database, { by, days, userId: null });
      const month = { ...(await store.budgetNow(database, null)), limit: limits.monthlyTokens };
      return { by, items, total: totalOf(items), month };
    },

    /** Of whoever asks; a host's user without a record has none. */
    own: async ({ userId }: Caller, days = daysDefault): Promise<LlmOwnUsage> => {
      const rows = userId === null ? [] : await store.usageBy(database, { by: 'Day', days, userId });
      const budget = userId === null ? { spent: 0, reserved: 0 } : await store.budgetNow(database, userId);
      return {
        items: rows.map(({ key, label: _, ...counts }) => ({ day: key, ...counts })),
        total: totalOf(rows),
        today: { ...budget, limit: limits.dailyTokensPerUser },
      };
    },
  };
}
