import {
  type ApiKeysService,
  apiKeyRoutes,
  createApiKeysService,
  createExecuteConsent,
  createExpiryNotices,
  createKeyAuthenticator,
  createLastUsed,
  type ExecuteConsent,
  type LastUsed,
} from '../../domains/api-keys/index.ts';
import type { TellResponsible } from '../../domains/notices/index.ts';
import { readableWithoutBypass } from '../../domains/projects/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

export type ApiKeysModule = Module & {
  readonly apiKeys: ApiKeysService;
  readonly lastUsed: LastUsed;
  /** Authenticates only requests with an API key. */
  readonly byKey: ReturnType<typeof createKeyAuthenticator>;
  /** Notifies owners of keys that expire soon. */
  readonly noticeExpiry: () => Promise<void>;
};

/** Composes API keys: their life cycle, and the authentication by key. */
export function composeApiKeys(
  infra: Infrastructure,
  options: {
    readonly mayKeyExecute?: ExecuteConsent | undefined;
    readonly tellResponsible: TellResponsible;
  },
): ApiKeysModule {
  const { database, clock, random, log, audit, settings } = infra;
  const rules = settings.keys;
  const lastUsed = createLastUsed(database, log);
  const apiKeys = createApiKeysService({
    database,
    clock,
    random,
    audit,
    lastUsed,
    rules,
    readableWithoutBypass,
  });
  const { baseUrl } = settings.addresses;
  const expiryNotices = createExpiryNotices({
    database,
    clock,
    log,
    audit,
    rules,
    notifyOwner: (tx, { id, endsWithinDays }) =>
      options.tellResponsible(tx, {
        kind: 'KeyExpires',
        subject: { kind: 'ApiKey', id },
        runId: null,
        facts: { endsWithinDays },
        isRepetition: false,
      }),
    email: infra.email,
    pageUrl: baseUrl === undefined ? undefined : `${baseUrl.replace(/\/$/, '')}/api-keys`,
  });
  const { mayKeyExecute } = options;
  if (mayKeyExecute && !settings.users.areStored)
    log.warn(
      'mayKeyExecute has no effect: with Svc:UserManagement:Enabled = false no user exists who could own a key',
    );
  return {
    apiKeys,
    lastUsed,
    byKey: createKeyAuthenticator({
      database,
      clock,
      log,
      lastUsed,
      rules,
      consent: mayKeyExecute && createExecuteConsent(mayKeyExecute, { log }),
    }),
    noticeExpiry: expiryNotices.give,
    routes: apiKeyRoutes(apiKeys),
    close: lastUsed.close,
  };
}
