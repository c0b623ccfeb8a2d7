import type { DataSourceMetadata } from '@svc/contract';
import type { Errors } from '../../../../lib/form.ts';
import type { RuleDraft } from '../draft.ts';

export type KnownTable = DataSourceMetadata['tables'][number];
export type KnownColumn = KnownTable['columns'][number];

/** Properties that each section of a rule's form receives. */
export type RulePart = {
  readonly rule: RuleDraft;
  /** Columns of the table. Empty: unknown. */
  readonly columns: readonly KnownColumn[];
  /** Tables of the data source. */
  readonly tables: readonly KnownTable[];
  /** Data source. Null until the user has chosen it. */
  readonly sourceId: number | null;
  /** Reason why the last check of the present rule failed. Undefined if it succeeded or was not started. */
  readonly failure: string | undefined;
  /** Errors of the rule, by the place inside the rule. */
  readonly errors: Errors;
  /** Checks the rule now. */
  readonly onCheck: () => void;
  readonly change: (part: Partial<RuleDraft>) => void;
};

/** Returns the error at a place, or else the first error inside it. */
export const errorAt = (errors: Errors, place: string): string | undefined =>
  errors[place] ?? Object.entries(errors).find(([each]) => each.startsWith(`${place}/`))?.[1];
