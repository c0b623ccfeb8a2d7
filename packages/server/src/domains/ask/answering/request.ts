import type { AnswerStage } from '@svc/contract';
import type { LlmCharge } from '../../../gateways/llm/index.ts';
import type { EarlierTurn } from '../../grounding/index.ts';

/** Origin of a call to a data source. */
export type CallOrigin = { readonly signal: AbortSignal; readonly callerId: string };

/** A question and the conditions under which it is answered. */
export type AnswerRequest = CallOrigin & {
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly question: string;
  readonly turns: readonly EarlierTurn[];
  readonly isRun: boolean;
  readonly userId: number | null;
  readonly purpose: 'Ask' | 'Evaluation';
  /** Evaluation whose budget the model calls are also charged to. */
  readonly evaluation?: LlmCharge['evaluation'] | undefined;
  /** A golden example that is neither matched nor shown: the example under evaluation. */
  readonly withoutExampleId?: number;
  /** Maximum number of rows to read. */
  readonly rowsMax: number;
  /** Number of generated statements. Statements with the same rows support each other. */
  readonly candidates: number;
  /** True if only statements checked by users are allowed. */
  readonly isCheckedOnly: boolean;
  readonly onStage: (stage: AnswerStage) => void;
  /** Receives the cost of each model call, if prices are configured. */
  readonly onCost?: (cost: number) => void;
};
