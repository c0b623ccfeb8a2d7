import { setTimeout as delay } from 'node:timers/promises';
import type {
  applyDefinitions,
  BodyOf,
  DefinitionFile,
  DefinitionPlan,
  DefinitionResult,
  planDefinitions,
} from '@svc/contract';
import { plural } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { HttpProblem } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type Audit, type CallerActor, systemActor } from '../audit/index.ts';
import type { DefinitionsService } from '../definitions/index.ts';
import { findUserByName, rightsOf } from '../users/index.ts';
import { beat, beginRun, endRun } from './store.ts';

/** Plans and applies definitions with the rights of one stored user. */
export type DefinitionsOfUser = {
  /** @throws HttpProblem with the refusal of the endpoint. */
  readonly plan: (body: BodyOf<typeof planDefinitions>) => Promise<DefinitionPlan>;
  /** @throws HttpProblem with the refusal of the endpoint. */
  readonly apply: (body: BodyOf<typeof applyDefinitions>) => Promise<{ results: DefinitionResult[] }>;
};

/** Definition files to apply at the start of a process. */
export type ProvisioningOrder = {
  /** Folder of the files, for the log and the audit. */
  readonly folder: string;
  /** Reads the files. @throws Error with a message for people. */
  readonly files: () => readonly DefinitionFile[];
  /** Name of the user whose rights apply. */
  readonly actAs: string;
  readonly manager: string;
  /** True: afterwards, records can be changed only through their files. */
  readonly managed: boolean;
  /** Values of the secrets that files refer to, by name. */
  readonly secrets: Readonly<Record<string, string>>;
};

/** Result of an order. */
export type ProvisioningReport = {
  /**
   * `Applied`: all records match the files, or wait for approval. `Incomplete`: steps failed or were not allowed.
   * `Failed`: nothing was applied. `Waiting`: the service is not set up yet.
   */
  readonly outcome: 'Applied' | 'Incomplete' | 'Failed' | 'Waiting';
  /** Text for people: a summary, and each step that was not applied. */
  readonly lines: readonly string[];
};

/** Plans and applies definition files on behalf of the process, without a request and without a key. */
export type Provisioning = {
  /** @throws Error with a message for people when the user does not exist or is disabled. */
  readonly as: (userName: string) => Promise<DefinitionsOfUser>;
  /** Applies an order. Only one process applies at a time. */
  readonly provision: (order: ProvisioningOrder) => Promise<ProvisioningReport>;
};

export type ProvisioningDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly audit: Audit;
  readonly definitions: Pick<DefinitionsService, 'plan' | 'apply'>;
  readonly isSetupOpen: () => Promise<boolean>;
};

const beatMs = 3_000;
const lookMs = 500;
/** Longest wait for another process that applies an order, in milliseconds. */
const turnMaxMs = 600_000;
const namedMax = 20;
const detailMax = 4_000;

export function createProvisioning(deps: ProvisioningDeps): Provisioning {
  const { database, log, audit, definitions } = deps;

  /** Returns the acting user with the current roles. */
  const actorOf = async (userName: string): Promise<CallerActor> => {
    const user = await findUserByName(database, userName);
    if (!user || user.archivedAt !== null) throw new Error(`There is no user ${userName}.`);
    if (!user.isEnabled) throw new Error(`The user ${userName} is disabled.`);
    // Same rights as with an access token: stored roles, no session, not confined to projects.
    const caller: Caller = {
      kind: 'bearer',
      userId: user.id,
      userName: user.userName,
      ...rightsOf(user.roles, user.isSuperAdmin),
      scopes: null,
      allowedProjectIds: null,
      apiKeyId: null,
      sessionId: null,
      mustChangePassword: false,
    };
    return { caller };
  };

  const as = async (userName: string): Promise<DefinitionsOfUser> => {
    await actorOf(userName);
    return {
      plan: async (body) => definitions.plan((await actorOf(userName)).caller, body),
      apply: async (body) => {
        const actor = await actorOf(userName);
        // The audit must show that no user signed in for this change.
        const detail = { planId: body.planId };
        await audit.record(database, { event: 'definitions.applied_on_machine', by: actor, detail });
        return definitions.apply(actor, body);
      },
    };
  };

  /** Waits until no other process applies an order, then begins a run. */
  const begin = async (order: ProvisioningOrder): Promise<number> => {
    const deadline = performance.now() + turnMaxMs;
    for (;;) {
      const id = await database.transaction((tx) => beginRun(tx, order));
      if (id !== undefined) return id;
      if (performance.now() > deadline) throw new Error('Another process has been applying for ten minutes.');
      await delay(lookMs);
    }
  };

  const work = async (order: ProvisioningOrder): Promise<ProvisioningReport> => {
    const user = await as(order.actAs);
    const { manager, managed, secrets } = order;
    const files = [...order.files()];
    const { planId, steps } = await user.plan({ files, manager, managed, secrets });
    const { results } = await user.apply({ planId, secrets });
    return reportOf(results, steps.length);
  };

  const attempt = async (order: ProvisioningOrder): Promise<ProvisioningReport> => {
    try {
      return await work(order);
    } catch (error) {
      return { outcome: 'Failed', lines: linesOf(error) };
    }
  };

  const tell = async (id: number, order: ProvisioningOrder, report: ProvisioningReport): Promise<void> => {
    const { folder, manager } = order;
    const { outcome, lines } = report;
    const actor = await actorOf(order.actAs).catch(() => systemActor);
    const isApplied = outcome === 'Applied';
    await database.transaction(async (tx) => {
      const detail = isApplied ? null : lines.join('\n').slice(0, detailMax);
      await endRun(tx, id, { outcome: outcome === 'Waiting' ? 'Failed' : outcome, detail });
      await audit.record(tx, {
        event: 'definitions.provisioned',
        by: actor,
        detail: { folder, manager, actAs: order.actAs, outcome },
      });
    });
    const about = { folder, manager, actAs: order.actAs, outcome };
    if (isApplied) log.info(about, 'the folder of records was applied');
    else log.warn({ ...about, lines }, 'the folder of records was not applied in full');
  };

  return {
    as,
    provision: async (order) => {
      if (await deps.isSetupOpen())
        return {
          outcome: 'Waiting',
          lines: [
            `Nobody has set the service up yet: ${order.folder} is applied at the next start after that.`,
          ],
        };
      const id = await begin(order);
      const beating = setInterval(() => {
        beat(database, id).catch((error: unknown) => log.warn({ err: error }, 'provisioning: no beat'));
      }, beatMs);
      try {
        const report = await attempt(order);
        await tell(id, order, report);
        return report;
      } finally {
        clearInterval(beating);
      }
    },
  };
}

/** Summarizes the results and names each step that was not applied. */
function reportOf(results: readonly DefinitionResult[], stepCount: number): ProvisioningReport {
  const count = (outcome: DefinitionResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  const undone = results.filter(({ outcome }) => undoneOutcomes.has(outcome));
  const done = `${plural(stepCount, 'record')}: ${count('Done')} changed, ${count('AwaitsApproval')} waiting for approval, ${undone.length} not applied.`;
  const named = undone
    .slice(0, namedMax)
    .map(({ path, outcome, detail }) => `${path}: ${outcome}${detail === null ? '' : `. ${detail}`}`);
  const more = undone.length > namedMax ? [`and ${undone.length - namedMax} more`] : [];
  return { outcome: undone.length === 0 ? 'Applied' : 'Incomplete', lines: [done, ...named, ...more] };
}

const undoneOutcomes: ReadonlySet<DefinitionResult['outcome']> = new Set<DefinitionResult['outcome']>([
  'Failed',
  'Skipped',
  'NotAllowed',
]);

/** Returns an error as lines of text: each faulty file with its fault. */
function linesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (!(error instanceof HttpProblem)) return [error.message];
  const faults = (error.errors ?? []).map(({ path, message }) => `${path} ${message}`);
  return faults.length > 0 ? faults.slice(0, namedMax) : [error.detail ?? error.title];
}
