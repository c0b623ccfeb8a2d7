import type { SqlDialect } from '@svc/connectors';
import type { StatementResult } from '../../../ask/index.ts';
import type { Schedules } from '../../../subscriptions/index.ts';
import type { ActorRow } from '../../store.ts';
import type { ActionType, DefinitionOf, ProvedAction, Sample } from '../actions.ts';
import type { NamedStatement, OwnQuery } from '../own.ts';
import type { ModelAction } from '../prompt.ts';
import type { rulesOf } from './rules.ts';

type CallOrigin = { readonly signal: AbortSignal; readonly callerId: string };
type Statement = { readonly dataSourceId: number; readonly sql: string };

export type ProveDeps = {
  /** Checks a statement with the gates for AI clients. */
  readonly check: (
    statement: Statement,
    call: CallOrigin,
  ) => Promise<{ readonly verdict: 'Passed' | 'Failed' | 'Unchecked'; readonly message: string }>;
  /** Runs a statement through the run-SQL gateway, masked. */
  readonly run: (
    statement: Statement & { readonly projectId: number; readonly rowsMax: number },
    call: CallOrigin,
  ) => Promise<StatementResult>;
  readonly schedules: Pick<Schedules, 'explain'>;
  /** Checks the rules of a contract against the metadata of its table. Throws if they do not fit. */
  readonly assertRulesFit: (
    table: {
      readonly projectId: number;
      readonly dataSourceId: number;
      readonly schemaName: string;
      readonly tableName: string;
    },
    rules: ReturnType<typeof rulesOf>,
  ) => Promise<void>;
};

/** Stored state that the proposals of an actor are checked against. */
export type ActorContext = {
  readonly actor: ActorRow;
  readonly dialect: SqlDialect;
  readonly own: readonly OwnQuery[];
  readonly existing: readonly NamedStatement[];
  readonly contractedTables: ReadonlySet<string>;
};

export type ProofContext = ActorContext & {
  /** Proved actions that precede the current one in the same answer. */
  readonly earlier: readonly ProvedAction[];
  readonly call: CallOrigin;
};

/** Checks one proposed action. @throws Unproved or HttpProblem with the reason of a refusal. */
export type ProveAction<T extends ActionType> = (
  deps: ProveDeps,
  action: ModelAction,
  context: ProofContext,
) => Promise<{ readonly definition: DefinitionOf<T>; readonly sample: Sample | null }>;

/** Refusal of an action. Its message is for users. */
export class Unproved extends Error {}
export const refusal = (problem: string): Unproved => new Unproved(problem);

/** Returns a text of the model without surrounding space. Empty if the model gave none. */
export const trimmed = (text: string | null): string => text?.trim() ?? '';
