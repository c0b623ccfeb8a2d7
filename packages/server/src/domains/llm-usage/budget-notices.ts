import type { Database } from '../../platform/db/index.ts';
import type { TellResponsible } from '../notices/index.ts';
import type { LlmUsageDeps } from './service.ts';
import * as store from './store.ts';

/** Budget shares in percent that cause a notice, the higher first. */
const levels = [100, 80] as const;
type Level = (typeof levels)[number];

/** Returns the used share of a limit in percent; 0 without a limit. */
const shareOf = ({ spent }: { readonly spent: number }, limit: number | null): number => {
  if (limit === null) return 0;
  return limit === 0 ? 100 : (spent / limit) * 100;
};

/**
 * Notifies SecurityAdmins once per month at 80 % and at 100 % of the service's monthly budget. A budget that refused a
 * call counts as 100 %, because usage never exceeds the budget and rarely equals it.
 */
export function createBudgetNotices(deps: {
  readonly database: Database;
  readonly limits: LlmUsageDeps['limits'];
  readonly tellResponsible: TellResponsible;
}) {
  const { database } = deps;

  const levelNow = async (): Promise<{ readonly level: Level; readonly isMoney: boolean } | undefined> => {
    const { monthlyTokens, monthlyBudget } = await deps.limits();
    const { isMissed, money, ...tokens } = await store.budgetNow(database, null);
    const ofTokens = shareOf(tokens, monthlyTokens);
    const ofMoney = shareOf(money, monthlyBudget);
    const hasLimit = monthlyTokens !== null || monthlyBudget !== null;
    const share = isMissed && hasLimit ? 100 : Math.max(ofTokens, ofMoney);
    const level = levels.find((one) => share >= one);
    return level === undefined ? undefined : { level, isMoney: ofMoney > ofTokens };
  };

  return {
    check: async (): Promise<void> => {
      const reached = await levelNow();
      if (reached === undefined) return;
      await database.transaction(async (tx) => {
        const month = await store.markTold(tx, reached.level);
        if (month === undefined) return;
        await deps.tellResponsible(tx, {
          kind: 'LlmBudget',
          subject: { kind: 'Settings', id: null },
          runId: null,
          facts: { percent: reached.level, month, isMoney: reached.isMoney },
          isRepetition: false,
        });
      });
    },
  };
}
