import type {
  LlmConnectionInput,
  LlmConnectionSetting,
  LlmConnection as ShownConnection,
} from '@svc/contract';
import type { LlmConnection } from '../../gateways/llm/index.ts';
import { isAdmin } from '../../platform/access/index.ts';
import type { Config } from '../../platform/config/index.ts';
import { type KeyRing, open, type Randomness, seal } from '../../platform/crypto/index.ts';
import type { Database, Queryable, Tx } from '../../platform/db/index.ts';
import { badRequest, forbidden, settingLocked } from '../../platform/http/index.ts';
import type { Outbound, OutboundPolicy } from '../../platform/outbound/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import {
  configuredConnection,
  llmConnectionKey,
  llmConnectionName,
  openPartOf,
  parseOpenPart,
  parseSecrets,
  presentConnection,
  refusedPart,
  secretsAfter,
  summaryOf,
} from './llm-connection.ts';
import { type LlmLimitsSettings, requirePrices } from './llm-limits.ts';
import { readConnection, writeConnection } from './llm-store.ts';

export type LlmSettingsDeps = {
  readonly database: Database;
  readonly config: Config;
  readonly audit: Audit;
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly outbound: Pick<Outbound, 'checkDestination'>;
  readonly policy: OutboundPolicy;
  readonly limits: Pick<LlmLimitsSettings, 'currentIn'>;
};

export type LlmSettings = ReturnType<typeof createLlmSettings>;

const place = { table: 'runtime_settings', column: 'value_sealed', rowId: llmConnectionKey };

/** Creates the LLM connection settings. Run-time values take precedence over the configuration, unless it locks them. */
export function createLlmSettings(deps: LlmSettingsDeps, isLocked: boolean) {
  const { database, audit, keys, random, outbound, policy } = deps;
  const configured = configuredConnection(deps.config);

  const stored = async (executor: Queryable): Promise<LlmConnection | undefined> => {
    const row = await readConnection(executor);
    const part = parseOpenPart(row?.value);
    if (row === undefined || part === undefined) return undefined;
    const opened = row.sealed === null ? undefined : open(keys, row.sealed, place);
    return { ...part, secrets: opened?.ok ? parseSecrets(opened.secret.reveal()) : {} };
  };

  const current = async (executor: Queryable): Promise<LlmConnection | undefined> =>
    isLocked ? configured : ((await stored(executor)) ?? configured);

  const refuse = (path: string, message: string) =>
    badRequest('invalid-setting', message, [{ path, message }]);

  /** Returns the connection that an input describes. Stored secrets are retained if the destination is the same. */
  const draft = async (executor: Queryable, input: LlmConnectionInput): Promise<LlmConnection> => {
    const part = openPartOf(input);
    if (part.model === '') throw refuse('/llmConnection/model', 'Name a model.');
    const refused = refusedPart(part);
    if (refused) throw refuse(refused.path, refused.message);
    return { ...part, secrets: secretsAfter(input, part, await current(executor)) };
  };

  /** Checks that an address may be connected to. Called before anything is stored or locked. */
  const checkAddress = async (input: LlmConnectionInput): Promise<void> => {
    const { endpoint } = openPartOf(input);
    if (endpoint === null) return;
    const path = '/llmConnection/endpoint';
    const check = await outbound.checkDestination(endpoint, policy);
    if (!check.ok)
      throw refuse(
        path,
        `${check.message} Svc:LLM:TrustedHosts names hosts that may be private or plain HTTP.`,
      );
    if (new URL(check.url).search !== '') throw refuse(path, 'The address must have no query.');
  };

  const requireAdmin = ({ caller }: CallerActor): void => {
    if (!isAdmin(caller))
      throw forbidden('admin-required', `Changing ${llmConnectionName} needs the Admin role.`);
  };

  const write = async (
    tx: Tx,
    by: CallerActor,
    before: LlmConnection | undefined,
    after: LlmConnection | undefined,
  ): Promise<void> => {
    const areNew = JSON.stringify(before?.secrets ?? {}) !== JSON.stringify(after?.secrets ?? {});
    const oldValue = before ? summaryOf(before, false) : null;
    const newValue = after ? summaryOf(after, areNew) : null;
    if (oldValue === newValue && before?.api === after?.api) return;
    const { secrets, ...part } = after ?? { secrets: {} };
    const hasSecrets = Object.keys(secrets).length > 0;
    await writeConnection(tx, {
      key: llmConnectionKey,
      oldValue,
      newValue,
      value: after ? part : null,
      sealed: hasSecrets ? seal(keys, JSON.stringify(secrets), place, random) : null,
      userId: by.caller.userId,
      hostUser: by.caller.hostUserId ?? null,
    });
    await audit.record(tx, {
      by,
      event: 'settings.setting_changed',
      detail: { setting: llmConnectionName, from: oldValue, to: newValue },
    });
  };

  return {
    /** Returns the current connection with its secrets. Only for the LLM gateway. */
    current: () => current(database),
    currentIn: current,
    /** Returns the connection of an input without storing it, for a test. Requires an Admin. */
    draft: async (by: CallerActor, input: LlmConnectionInput): Promise<LlmConnection> => {
      requireAdmin(by);
      await checkAddress(input);
      return draft(database, input);
    },
    checkAddress,
    /**
     * Stores a connection. Null restores the configuration. The transaction of the caller has the settings lock.
     *
     * @param areLimitsChanged  True if the same transaction changes the limits afterwards.
     */
    change: async (
      tx: Tx,
      by: CallerActor,
      input: LlmConnectionInput | null,
      areLimitsChanged: boolean,
    ): Promise<void> => {
      if (isLocked)
        throw settingLocked(
          llmConnectionName,
          `The configuration locks ${llmConnectionName}. Change it there, or take it out of Svc:AdminSettings:Locked.`,
        );
      requireAdmin(by);
      const after = input === null ? undefined : await draft(tx, input);
      // Limits that change in the same transaction are checked after it.
      if (!areLimitsChanged)
        requirePrices(await deps.limits.currentIn(tx), after ?? configured, '/llmConnection/prices');
      await write(tx, by, await stored(tx), after);
    },
    /** Returns the stored connection, even if the configuration locks it. */
    setAtRunTime: async (executor: Queryable): Promise<ShownConnection | null> => {
      const set = await stored(executor);
      return set ? presentConnection(set) : null;
    },
    shown: async (executor: Queryable): Promise<LlmConnectionSetting> => {
      const set = isLocked ? undefined : await stored(executor);
      const value = set ?? configured;
      return {
        value: value ? presentConnection(value) : null,
        isSetAtRunTime: set !== undefined,
        isLocked,
        isEnabled: deps.config['Svc:LLM:Enabled'],
        keepsContent: deps.config['Svc:LLM:KeepsContent'],
        needs: 'Admin',
      };
    },
  };
}
