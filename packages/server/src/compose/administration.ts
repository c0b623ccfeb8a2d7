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
} from '../doors/llm/index.ts';
import type { Config } from '../platform/config/index.ts';
import { llmPolicy } from '../platform/outbound/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

export type AdministrationPart = Part & {
  readonly adminSettings: AdminSettingsService;
  /** The one way to a model: the connection is the one that holds at the moment of a call. */
  readonly llm: Llm;
  readonly requireModel: RequireModel;
  /** What calls to it may cost at this moment. */
  readonly llmLimits: () => Promise<LlmLimits>;
};

/** What administrators set at run time, and the audit that they read. */
export function composeAdministration(ground: Ground, config: Config): AdministrationPart {
  const { database, audit, keys, random, outbound, log, settings } = ground;
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
      ...{ outbound, policy, log, connection, ledger, limits: limits.current },
      ...{ isEnabled: config['Svc:LLM:Enabled'], keep, ...more },
    });
  const adminSettings = createAdminSettings({ database, config, audit, llmSettings, llmLimits: limits });
  const testLlm = createLlmTest({
    ...{ database, audit, llmSettings, isEnabled: config['Svc:LLM:Enabled'] },
    // A test says what is, at once.
    openLlm: (connection) => openLlm(async () => connection, { pausesMs: [] }),
  });
  const llm = openLlm(llmSettings.current);
  const usage = createLlmUsageService({ database, clock: ground.clock, llm, limits: limits.current });
  return {
    adminSettings,
    // Calls to the model that were lost with their processes are booked.
    sweep: ledger.sweep,
    llm,
    requireModel: usage.requireModel,
    llmLimits: limits.current,
    routes: [
      ...adminSettingsRoutes(adminSettings, testLlm),
      ...llmUsageRoutes(usage, createLlmCalls({ database, keys, audit })),
      ...recipientSettingsRoutes(createRecipientSettingsService(ground)),
      ...auditRoutes(createAuditLog({ database, clock: ground.clock, audit })),
    ],
  };
}
