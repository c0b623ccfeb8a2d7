import type { JsonObject } from './json.ts';

/** Parts of a document that no rule evaluates. They are stored, and an export writes them back. */
export type Kept = {
  /** Members of the document except its schema, its service levels and our custom property. */
  readonly document: JsonObject;
  /** Members of the table except its columns and its checks. */
  readonly table: JsonObject;
  /** Checks of the table that are not evaluated. */
  readonly quality: readonly JsonObject[];
  readonly properties: readonly {
    readonly name: string;
    readonly members: JsonObject;
    readonly quality: readonly JsonObject[];
  }[];
  readonly sla: readonly JsonObject[];
  /** Additional members of checks with a rule. In the order of the rules; by rule id after the contract is saved. */
  readonly rules: Readonly<Record<string, JsonObject>>;
};

export const nothingKept: Kept = {
  document: {},
  table: {},
  quality: [],
  properties: [],
  sla: [],
  rules: {},
};
