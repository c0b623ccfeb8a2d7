import type {
  BodyOf,
  ContractEvaluation,
  ContractEvaluationDetail,
  checkContractRules,
  DataQualityOverview,
  EvaluationStatus,
  ListQuery,
  Page,
} from '@svc/contract';
import { refusingOverHttp } from '../../gateways/run-sql/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { ruleOf } from '../contract-rules/index.ts';
import { assertMayUseSql, assertRulesFit, type ReachContract } from '../data-contracts/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { askRules, type RuleResult } from './asking/ask-rules.ts';
import type { AskDeps } from './asking/source.ts';
import { readOverview } from './overview-store.ts';
import type { PlanContract } from './plan.ts';
import { presentEvaluation, presentFound, presentResult } from './present.ts';
import type { Samples } from './samples.ts';
import type { StartEvaluation, Started } from './starting.ts';
import * as store from './store.ts';

export type EvaluationsDeps = AskDeps & {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly reach: ReachContract;
  readonly planContract: PlanContract;
  readonly samples: Samples;
  readonly starting: StartEvaluation;
};

export type EvaluationsService = ReturnType<typeof createEvaluationsService>;

const checkTimeoutMs = 30_000;

/** Manages evaluations of data contracts for users. */
export function createEvaluationsService(deps: EvaluationsDeps) {
  const { database, reach, rights } = deps;
  return {
    evaluate: (by: CallerActor, contractId: number): Promise<Started> =>
      database.transaction(async (tx) => {
        const { projectId } = await reach(tx, by.caller, contractId, 'Write');
        const started = await deps.starting.byHand(tx, by.caller, contractId);
        if (!started)
          throw conflict(
            'evaluation-running',
            'An evaluation of this contract waits or runs. Wait for its end.',
          );
        await deps.audit.record(tx, {
          by,
          event: 'data_quality.evaluation_started',
          subject: { kind: 'data_contract', id: contractId },
          projectId,
          detail: { evaluationId: started.evaluationId },
        });
        return started;
      }),

    list: async (
      caller: Caller,
      contractId: number,
      query: ListQuery & { status?: EvaluationStatus },
    ): Promise<Page<ContractEvaluation>> => {
      await reach(database, caller, contractId, 'Read');
      const page = pageRequest(query, {
        sortable: store.evaluationSortable,
        byDefault: '-createdTime',
        unique: 'e.id',
      });
      const { rows, totalCount } = await store.listEvaluations(
        database,
        contractId,
        query.status ?? null,
        page,
      );
      return pageOf(rows.map(presentEvaluation), totalCount, page);
    },

    get: async (caller: Caller, contractId: number, id: number): Promise<ContractEvaluationDetail> => {
      await reach(database, caller, contractId, 'Read');
      const row = await store.findEvaluation(database, contractId, id);
      if (!row) throw notFound();
      const results = await store.listResults(database, id);
      return {
        ...presentEvaluation(row),
        results: results.map((result) => presentResult(result, deps.samples)),
      };
    },

    overview: async (caller: Caller): Promise<DataQualityOverview> =>
      readOverview(database, await rights.readableIds(database, caller)),

    /** Evaluates the rules of a draft. Stores nothing. */
    check: async (
      caller: Caller,
      draft: BodyOf<typeof checkContractRules>,
      signal: AbortSignal,
    ): Promise<{ results: ReturnType<typeof presentFound>[] }> => {
      const { projectId, dataSourceId, schemaName, tableName } = draft;
      const rules = draft.rules.map((input) => ruleOf({ ...input, isEnabled: true }));
      await rights.require(database, caller, projectId, 'Write');
      assertMayUseSql(caller, { settings: draft, rules });
      await assertRulesFit(database, draft, rules);
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs)]);
      const place = { projectId, dataSourceId, schemaName, tableName };
      const plan = await deps.planContract(database, place, bounded);
      if (typeof plan === 'string') throw notFound();
      const source = {
        ...plan,
        signal: bounded,
        timeoutMs: checkTimeoutMs,
        callerId: `user ${caller.userId ?? caller.kind}`,
      };
      const results: RuleResult[] = await refusingOverHttp(() =>
        askRules(deps, source, rules, { keepsSamples: true }),
      );
      return { results: results.map(presentFound) };
    },
  };
}
