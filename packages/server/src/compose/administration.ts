import {
  type AdminSettingsService,
  adminSettingsRoutes,
  createAdminSettings,
  createLlmLimits,
  createLlmSettings,
  createLlmTest,
  llmConnectionName,
  llmLimitsName,
  lockedSettings,
} from '../domains/admin-settings/index.ts';
import { auditRoutes, createAuditLog } from '../domains/audit/index.ts';
import {
  createContentKeeper,
  createLlmCalls,
  createLlmUsageService,
  llmUsageRoutes,
  type RequireModel,
} from '../domains/llm-usage/index.ts';
import {
  createRecipientSettingsService,
  recipientSettingsRoutes,
} from '../domains/recipient-settings/index.ts';
import {
  createLedger,
  createLlm,
  type Llm,
  type LlmConnection,
  type LlmLimits,
  type LlmOptions,
} from '../gateways/llm/index.ts';
import type { Config } from '../platform/config/index.ts';
import { llmPolicy } from '../platform/outbound/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Module } from './module.ts';

export type AdministrationModule = Module & {
  readonly adminSettings: AdminSettingsService;
  /** LLM client. It reads the current connection at each call. */
  readonly llm: Llm;
  readonly requireModel: RequireModel;
  /** Returns the current cost limits of calls to the model. */
  readonly llmLimits: () => Promise<LlmLimits>;
};

/** Composes the run-time settings of administrators, and the audit log. */
export function composeAdministration(infra: Infrastructure, config: Config): AdministrationModule {
  const { database, audit, keys, random, outbound, log, settings } = infra;
  const policy = llmPolicy(settings.llm);
  const locked = lockedSettings(config);
  const limits = createLlmLimits({ database, config, audit }, locked.has(llmLimitsName));
  const llmSettings = createLlmSettings(
    { database, config, audit, keys, random, outbound, policy, limits },
    locked.has(llmConnectionName),
  );
  const ledger = createLedger({ database, log, limits: limits.current });
  const keep = config['Svc:LLM:KeepsContent']
    ? createContentKeeper({ database, keys, random, log })
    : undefined;
  const openLlm = (
    connection: () => Promise<LlmConnection | undefined>,
    more: Pick<LlmOptions, 'pausesMs'> = {},
  ) =>
    createLlm({
      outbound,
      policy,
      log,
      connection,
      ledger,
      limits: limits.current,
      isEnabled: config['Svc:LLM:Enabled'],
      keep,
      ...more,
    });
  const adminSettings = createAdminSettings({ database, config, audit, llmSettings, llmLimits: limits });
  const testLlm = createLlmTest({
    database,
    audit,
    llmSettings,
    isEnabled: config['Svc:LLM:Enabled'],
    // A connection test reports its result immediately, without retries.
    openLlm: (connection) => openLlm(async () => connection, { pausesMs: [] }),
  });
  const llm = openLlm(llmSettings.current);
  const usage = createLlmUsageService({ database, clock: infra.clock, llm, limits: limits.current });
  return {
    adminSettings,
    // Books calls to the model whose process ended before it recorded them.
    sweep: ledger.sweep,
    llm,
    requireModel: usage.requireModel,
    llmLimits: limits.current,
    routes: [
      ...adminSettingsRoutes(adminSettings, testLlm),
      ...llmUsageRoutes(usage, createLlmCalls({ database, keys, audit })),
      ...recipientSettingsRoutes(createRecipientSettingsService(infra)),
      ...auditRoutes(createAuditLog({ database, clock: infra.clock, audit })),
    ],
  };
}
