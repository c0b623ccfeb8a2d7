import type { DataSourceMetadata } from '@svc/contract';
import type { Errors } from '../../../../lib/form.ts';
import type { RuleDraft } from '../draft.ts';

export type KnownTable = DataSourceMetadata['tables'][number];
export type KnownColumn = KnownTable['columns'][number];

/** What a part of a rule's form is given. */
export type RulePart = {
  readonly rule: RuleDraft;
  /** Columns of the table; none: they are not known. */
  readonly columns: readonly KnownColumn[];
  /** Tables of the data source. */
  readonly tables: readonly KnownTable[];
  /** The data source; null until it is chosen. */
  readonly sourceId: number | null;
  /** Why the rule as it is written now could not be asked; undefined where it could, or was not. */
  readonly failure: string | undefined;
  /** What is wrong with the rule, by the place in it. */
  readonly errors: Errors;
  /** Asks the rule now. */
  readonly onCheck: () => void;
  readonly change: (part: Partial<RuleDraft>) => void;
};

/** What is wrong at a place, or in the first of its parts. */
export const errorAt = (errors: Errors, place: string): string | undefined =>
  errors[place] ?? Object.entries(errors).find(([each]) => each.startsWith(`${place}/`))?.[1];
