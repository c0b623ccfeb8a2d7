import type { McpProjectValues } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Llm } from '../../gateways/llm/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { KeyRing, Randomness } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Audit } from '../audit/index.ts';
import type { RequireModel } from '../llm-usage/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import type { Answering } from './answering/answer.ts';

export type AskDeps = {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly rights: ProjectRights;
  readonly vault: Vault;
  readonly requireModel: RequireModel;
  readonly answering: Answering;
  /** Lists the live data sources of a project, by name. */
  readonly sourcesOf: (
    projectId: number,
  ) => Promise<readonly { readonly id: number; readonly name: string }[]>;
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
  readonly llm: Pick<Llm, 'call'>;
  /** Returns the current MCP settings of a project for questions. */
  readonly settingsOf: (projectId: number) => Promise<AskSettings>;
  /** Receives the results of answers. */
  readonly learn: (signal: AnswerSignal) => Promise<void>;
};

/** Keys that encrypt the stored rows. */
export type Vault = { readonly keys: KeyRing; readonly random: Randomness };

export type AskSettings = Pick<
  McpProjectValues,
  'isAskEnabled' | 'answersOnlyChecked' | 'rowsToModel' | 'candidates'
>;

/** Result of an answer, as a signal for learning. */
export type AnswerSignal = {
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly callerKey: string;
  readonly outcome: string;
  readonly statement: string | null;
  readonly answerId: number;
};
