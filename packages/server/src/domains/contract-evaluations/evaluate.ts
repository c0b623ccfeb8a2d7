import type { EvaluationReason } from '@svc/contract';
import { JobAbortError } from '@svc/jobs';
import type { Database, Tx } from '../../platform/db/index.ts';
import { decideEvaluation, failureOf, ruleOf } from '../contract-rules/index.ts';
import { type ContractRow, findContract } from '../data-contracts/index.ts';
import type { TellResponsible } from '../notices/index.ts';
import type { FollowEvaluation } from '../tasks/index.ts';
import type { AlertedEvaluation } from './alerting/alert.ts';
import type { EndedEvaluation } from './alerting/decide.ts';
import { askRules, type RuleResult } from './asking/ask-rules.ts';
import type { AskDeps } from './asking/source.ts';
import type { PlanContract } from './plan.ts';
import type { Samples } from './samples.ts';
import * as store from './store.ts';

export type EvaluateDeps = AskDeps & {
  readonly database: Database;
  readonly planContract: PlanContract;
  readonly samples: Samples;
  readonly timeoutMs: number;
  readonly tellResponsible: TellResponsible;
  /** Opens, updates or resolves the task of the contract, in the transaction of the end. */
  readonly followEvaluation: FollowEvaluation;
  /** Notifies the recipients of the contract, in the transaction of the end. */
  readonly alert: (tx: Tx, ended: EndedEvaluation) => Promise<AlertedEvaluation>;
};

const unjudged = (reason: EvaluationReason, contractVersion: number | null = null): store.EvaluationEnd => ({
  status: 'Error',
  reason,
  failedBecause: null,
  score: null,
  failScore: null,
  totalRows: null,
  contractVersion,
});

/** Evaluates contracts: runs their rules, decides, stores the results, and notifies the responsible users of an Error. */
export function createEvaluate(deps: EvaluateDeps) {
  const { database } = deps;

  const end = async (
    taken: store.Taken,
    contract: Pick<ContractRow, 'id'> | undefined,
    ended: store.EvaluationEnd,
    results: readonly RuleResult[] = [],
  ): Promise<void> => {
    const announcements = await database.transaction(async (tx) => {
      if (!(await store.endEvaluation(tx, taken, ended))) return [];
      await keep(tx, taken.id, results);
      // Read again: the contract may have been snoozed or archived during the evaluation.
      const current = contract && (await findContract(tx, contract.id));
      if (!current) return [];
      const { runId, announcements: after } = await deps.alert(tx, {
        contract: current,
        evaluation: taken,
        end: ended,
        results,
      });
      const isScheduled = taken.trigger === 'Schedule';
      if (ended.status !== 'Error')
        await deps.followEvaluation(tx, {
          contract: current,
          outcome: ended.status,
          isScheduled,
          runId,
          brokenCount: results.filter(({ outcome }) => outcome !== 'Passed').length,
        });
      else if (isScheduled) await tellError(tx, taken, ended);
      return after;
    });
    for (const announce of announcements) announce();
  };

  const tellError = async (tx: Tx, taken: store.Taken, ended: store.EvaluationEnd): Promise<void> =>
    deps.tellResponsible(tx, {
      kind: 'ContractError',
      subject: { kind: 'Contract', id: taken.contractId },
      runId: null,
      facts: { reason: ended.reason, evaluationId: taken.id },
      isRepetition: await store.isRepeatedError(tx, taken),
    });

  const keep = async (tx: Tx, evaluationId: number, results: readonly RuleResult[]): Promise<void> => {
    for (const [position, { rule, sample, ...verdict }] of results.entries()) {
      if (rule.id === null) throw new Error('A rule that is kept has an id.');
      const { name, type, severity } = rule;
      const result = { ruleId: rule.id, name, type, severity, ...verdict };
      const id = await store.insertResult(tx, evaluationId, position, result);
      if (sample) await store.setSample(tx, id, deps.samples.seal(id, sample));
    }
  };

  const decide = async (taken: store.Taken, contract: ContractRow, signal: AbortSignal): Promise<void> => {
    const plan = await deps.planContract(database, contract, signal);
    if (typeof plan === 'string') return end(taken, contract, unjudged(plan, contract.version));
    const rules = contract.rules.filter(({ isEnabled }) => isEnabled).map(ruleOf);
    const source = { ...plan, signal, timeoutMs: deps.timeoutMs };
    const results = await askRules(deps, source, rules, contract);
    const judged = results.map(({ rule: { severity, weight }, outcome, score }) => ({
      severity,
      weight,
      outcome,
      score,
    }));
    const { outcome, score } = decideEvaluation(judged, contract);
    const totalRows =
      results.find(({ total, rule }) => total !== null && rule.type !== 'CustomSql')?.total ?? null;
    await end(
      taken,
      contract,
      {
        status: outcome,
        reason: null,
        score,
        totalRows,
        contractVersion: contract.version,
        failedBecause: outcome === 'Failed' ? failureOf(judged, contract) : null,
        failScore: contract.failScore,
      },
      results,
    );
  };

  return {
    /** Claims an evaluation and completes it. An interrupted one is evaluated again. */
    execute: async (id: number, signal: AbortSignal): Promise<void> => {
      const taken = await store.takeEvaluation(database, id);
      if (!taken) return;
      const contract = await findContract(database, taken.contractId);
      if (!contract) return end(taken, undefined, unjudged('ContractGone'));
      try {
        await decide(taken, contract, signal);
      } catch (error) {
        const { reason } = signal;
        const isCancelled = signal.aborted && reason instanceof JobAbortError && reason.cause === 'Cancelled';
        if (!isCancelled) throw error;
        await end(taken, contract, unjudged('Cancelled', contract.version));
      }
    },

    /** Ends evaluations whose job has ended without completing them. */
    endAbandoned: async (): Promise<void> => {
      for (const { id } of await store.abandonedEvaluations(database)) {
        const taken = await store.takeEvaluation(database, id);
        if (taken) await end(taken, await findContract(database, taken.contractId), unjudged('Interrupted'));
      }
    },
  };
}
