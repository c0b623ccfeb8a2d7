import type { JsonObject } from './json.ts';

/** Parts of a document that say nothing of what is judged: they are kept, and stand in it again when it is written. */
export type Kept = {
  /** Members of the document beside its schema, its service levels and our own. */
  readonly document: JsonObject;
  /** Members of the table beside its columns and its checks. */
  readonly table: JsonObject;
  /** Checks of the table that are not judged here. */
  readonly quality: readonly JsonObject[];
  readonly properties: readonly {
    readonly name: string;
    readonly members: JsonObject;
    readonly quality: readonly JsonObject[];
  }[];
  readonly sla: readonly JsonObject[];
  /** What a check said beside what the rule says, in the order of the rules, by their ids once they are saved. */
  readonly rules: Readonly<Record<string, JsonObject>>;
};

export const nothingKept: Kept = {
  ...{ document: {}, table: {}, quality: [], properties: [], sla: [], rules: {} },
};
