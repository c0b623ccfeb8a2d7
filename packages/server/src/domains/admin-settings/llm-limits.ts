import type { LlmLimits, LlmLimitsInput, LlmLimitsSetting } from '@svc/contract';
import type { LlmConnection } from '../../gateways/llm/index.ts';
import { holds } from '../../platform/access/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database, Queryable, Tx } from '../../platform/db/index.ts';
import { badRequest, forbidden, settingLocked } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { readLimits, writeLimits } from './llm-store.ts';

/** Name of the setting in the history and in the configuration's list of locked settings. */
export const llmLimitsName = 'llmLimits';
/** Key of the stored row. */
export const llmLimitsKey = 'LLM.Limits';

/** Returns the limits that apply while none are set at run time. */
export const configuredLimits = (config: Config): LlmLimits => ({
  monthlyBudget: config['Svc:LLM:MonthlyBudget'] ?? null,
  monthlyTokens: config['Svc:LLM:MonthlyTokens'] ?? null,
  dailyTokensPerUser: config['Svc:LLM:DailyTokensPerUser'],
  callsPerMinute: config['Svc:LLM:CallsPerMinute'],
  tokensPerMinute: config['Svc:LLM:TokensPerMinute'],
  maxConcurrentCalls: config['Svc:LLM:MaxConcurrentCalls'],
  callTimeoutSeconds: config['Svc:LLM:CallTimeoutSeconds'],
  maxPromptBytes: config['Svc:LLM:MaxPromptBytes'],
});

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Parses a stored row. Missing members get their configured values. */
function parseLimits(value: unknown, configured: LlmLimits): LlmLimits | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const number = (name: keyof LlmLimits, otherwise: number): number => {
    const limit: unknown = Reflect.get(value, name);
    return isNumber(limit) ? limit : otherwise;
  };
  const orNone = (name: 'monthlyBudget' | 'monthlyTokens'): number | null => {
    const limit: unknown = Reflect.get(value, name);
    return isNumber(limit) || limit === null ? limit : configured[name];
  };
  return {
    monthlyBudget: orNone('monthlyBudget'),
    monthlyTokens: orNone('monthlyTokens'),
    dailyTokensPerUser: number('dailyTokensPerUser', configured.dailyTokensPerUser),
    callsPerMinute: number('callsPerMinute', configured.callsPerMinute),
    tokensPerMinute: number('tokensPerMinute', configured.tokensPerMinute),
    maxConcurrentCalls: number('maxConcurrentCalls', configured.maxConcurrentCalls),
    callTimeoutSeconds: number('callTimeoutSeconds', configured.callTimeoutSeconds),
    maxPromptBytes: number('maxPromptBytes', configured.maxPromptBytes),
  };
}

const words: Readonly<{ [name in keyof LlmLimits]: string }> = {
  monthlyBudget: 'a month',
  monthlyTokens: 'tokens a month',
  dailyTokensPerUser: 'tokens a day and user',
  callsPerMinute: 'calls a minute',
  tokensPerMinute: 'tokens a minute',
  maxConcurrentCalls: 'at once',
  callTimeoutSeconds: 'seconds a call',
  maxPromptBytes: 'bytes a prompt',
};
const names = Object.keys(words) as (keyof LlmLimits)[];

/** Returns the differences between two sets of limits in one line, for the history and the audit. */
const differenceOf = (limits: LlmLimits, others: LlmLimits): string => {
  const different = names.filter((name) => limits[name] !== others[name]);
  return different.map((name) => `${limits[name] ?? 'no limit'} ${words[name]}`).join(', ');
};

export type LlmLimitsDeps = {
  readonly database: Database;
  readonly config: Config;
  readonly audit: Audit;
};

export type LlmLimitsSettings = ReturnType<typeof createLlmLimits>;

const pricesNeeded =
  'A budget in money needs the prices of the language model: set them with the connection.';

/** Refuses a monetary limit if the connection has no prices. */
export function requirePrices(
  { monthlyBudget }: LlmLimits,
  connection: LlmConnection | undefined,
  path: string,
): void {
  if (monthlyBudget !== null && connection !== undefined && connection.prices === null)
    throw badRequest('invalid-setting', pricesNeeded, [{ path, message: pricesNeeded }]);
}

/**
 * Creates the limits of LLM calls. Run-time values take precedence over the configuration, unless the configuration locks
 * them.
 */
export function createLlmLimits({ database, config, audit }: LlmLimitsDeps, isLocked: boolean) {
  const configured = configuredLimits(config);

  const stored = async (executor: Queryable): Promise<LlmLimits | undefined> =>
    parseLimits(await readLimits(executor, llmLimitsKey), configured);

  const currentIn = async (executor: Queryable): Promise<LlmLimits> =>
    isLocked ? configured : ((await stored(executor)) ?? configured);

  return {
    /** Reads the current limits from the database, so that all processes use the same. */
    current: (): Promise<LlmLimits> => currentIn(database),
    currentIn,

    /**
     * Stores limits. Null restores the configuration. The transaction of the caller has the settings lock.
     *
     * @param connection  The connection after the same change.
     */
    change: async (
      tx: Tx,
      by: CallerActor,
      input: LlmLimitsInput | null,
      connection: LlmConnection | undefined,
    ): Promise<void> => {
      if (isLocked)
        throw settingLocked(
          llmLimitsName,
          `The configuration locks ${llmLimitsName}. Change them there, or take them out of Svc:AdminSettings:Locked.`,
        );
      if (!holds(by.caller, 'SecurityAdmin'))
        throw forbidden('permission-required', `Changing ${llmLimitsName} needs SecurityAdmin.`);
      const set = await stored(tx);
      const before = set ?? configured;
      const after = input === null ? configured : { ...before, ...input };
      const isAsBefore = JSON.stringify(after) === JSON.stringify(before);
      if (isAsBefore && (input !== null || set === undefined)) return;
      requirePrices(after, connection, '/llmLimits/monthlyBudget');
      const oldValue = set === undefined && isAsBefore ? null : differenceOf(before, after);
      const newValue = input === null ? null : differenceOf(after, before);
      const change = { key: llmLimitsKey, oldValue: oldValue || null, newValue };
      const { userId } = by.caller;
      await writeLimits(tx, {
        ...change,
        value: input === null ? null : after,
        userId,
        hostUser: by.caller.hostUserId ?? null,
      });
      await audit.record(tx, {
        by,
        event: 'settings.setting_changed',
        detail: { setting: llmLimitsName, from: change.oldValue, to: newValue },
      });
    },

    /** Returns stored limits, even if the configuration locks them. */
    setAtRunTime: async (executor: Queryable): Promise<LlmLimits | null> => (await stored(executor)) ?? null,

    /** Completes partial limits with configured values. */
    whole: (input: LlmLimitsInput): LlmLimits => ({ ...configured, ...input }),

    shown: async (executor: Queryable): Promise<LlmLimitsSetting> => {
      const set = isLocked ? undefined : await stored(executor);
      return {
        value: set ?? configured,
        configuredValue: configured,
        isSetAtRunTime: set !== undefined,
        isLocked,
        needs: 'SecurityAdmin',
      };
    },
  };
}
