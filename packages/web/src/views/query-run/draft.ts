import type { BodyOf, createQuery, previewDraft, Query, QueryParameter } from '@svc/contract';
import { randomUuid } from '../../lib/random-uuid.ts';

/** Statement of a query in the editor. */
export type DraftStep = {
  /** Identity of the step in all versions of the query. A new step creates its own. */
  readonly key: string;
  readonly name: string;
  /** Not shown in the editor, but retained when it saves. */
  readonly description: string | null;
  readonly dataSourceId: number | null;
  readonly sql: string;
};

/** Query in the editor. */
export type Draft = {
  readonly projectId: number | null;
  /** Folder of the project for a new query. */
  readonly folderId?: number | null;
  readonly name: string;
  readonly description: string;
  readonly steps: readonly DraftStep[];
  /** Runs over the results of the steps. Null: the last step is the result. */
  readonly finalQuery: string | null;
  readonly parameters: readonly QueryParameter[];
};

export const newStep = (dataSourceId: number | null, sql = ''): DraftStep => ({
  key: randomUuid(),
  name: '',
  description: null,
  dataSourceId,
  sql,
});

export const emptyDraft = (projectId: number | null, dataSourceId: number | null): Draft => ({
  projectId,
  name: '',
  description: '',
  steps: [newStep(dataSourceId)],
  finalQuery: null,
  parameters: [],
});

/** Stored definition: of a query, or of one of its versions. */
type StoredDefinition = Pick<Query, 'projectId' | 'name' | 'description' | 'finalQuery' | 'parameters'> & {
  readonly steps: readonly Pick<
    Query['steps'][number],
    'key' | 'name' | 'description' | 'dataSourceId' | 'sql'
  >[];
};

export const draftOf = (query: StoredDefinition): Draft => ({
  projectId: query.projectId,
  name: query.name,
  description: query.description ?? '',
  steps:
    query.steps.length > 0
      ? query.steps.map(({ key, name, description, dataSourceId, sql }) => ({
          key,
          description,
          dataSourceId,
          sql,
          name: name ?? '',
        }))
      : [newStep(null)],
  finalQuery: query.finalQuery,
  parameters: query.parameters,
});

/** Matches a placeholder. The first branch consumes an escaped one, `{{{{name}}}}`, which is the text `{{name}}`. */
const namePattern = /\{{4}\s*\w+\s*\}{4}|\{\{\s*([A-Za-z_]\w{0,63})\s*\}\}/g;

/** Returns the names written as `{{name}}` in any text of the draft, in order of appearance. */
export function parameterNames(draft: Draft): readonly string[] {
  const texts = [...draft.steps.map((step) => step.sql), draft.finalQuery ?? ''];
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(namePattern)].flatMap(([, name]) => name ?? []))),
  ];
}

/** Returns the parameters that the texts use. A parameter without a declaration is a required text. */
export function usedParameters(draft: Draft): readonly QueryParameter[] {
  return parameterNames(draft).map(
    (name) => draft.parameters.find((parameter) => parameter.name === name) ?? { name, type: 'String' },
  );
}

type Steps = BodyOf<typeof previewDraft>['steps'];

const stepInput = (step: DraftStep): Steps[number] => ({
  ...(step.name.trim() !== '' && { name: step.name.trim() }),
  // The schema refuses a step without a data source, at its field.
  dataSourceId: step.dataSourceId ?? 0,
  sql: step.sql,
});

/** Step with all of its members. A save would lose an omitted one. */
type WholeStep = { [Member in keyof Steps[number]]-?: Steps[number][Member] };

const wholeStep = (step: DraftStep): WholeStep => ({
  key: step.key,
  name: null,
  description: step.description,
  ...stepInput(step),
});

/** Converts a draft to the definition that a save sends. */
export const definitionOf = (
  draft: Draft,
): Omit<BodyOf<typeof createQuery>, 'projectId'> & { steps: Steps } => ({
  name: draft.name.trim(),
  description: draft.description.trim() === '' ? null : draft.description.trim(),
  steps: draft.steps.map(wholeStep),
  finalQuery: draft.finalQuery === null || draft.finalQuery.trim() === '' ? null : draft.finalQuery,
  parameters: [...usedParameters(draft)],
});

/** Part of a draft to run: one step, a selection in it, or everything. */
export type RunTarget =
  | { readonly kind: 'all' }
  | { readonly kind: 'step'; readonly key: string; readonly selection: string | null };

/** Returns the request that runs a part of the draft. Omits parameters that the part does not use. */
export function runOf(
  draft: Draft,
  target: RunTarget,
  values: Readonly<Record<string, string | number | boolean | null>>,
): BodyOf<typeof previewDraft> | undefined {
  if (draft.projectId === null) return undefined;
  const part: Draft =
    target.kind === 'all'
      ? draft
      : {
          ...draft,
          finalQuery: null,
          steps: draft.steps
            .filter((step) => step.key === target.key)
            .map((step) => ({ ...step, sql: target.selection ?? step.sql })),
        };
  const { finalQuery, parameters } = definitionOf(part);
  const used = new Set(parameters?.map((parameter) => parameter.name));
  return {
    projectId: draft.projectId,
    steps: part.steps.map(stepInput),
    finalQuery: finalQuery ?? null,
    parameters: parameters ?? [],
    values: Object.fromEntries(Object.entries(values).filter(([name]) => used.has(name))),
  };
}

/** Returns the reason why a run is impossible. Undefined if it is possible. */
export function whyNotRun(draft: Draft, target: RunTarget): string | undefined {
  if (draft.projectId === null) return 'Choose a project first.';
  const steps = target.kind === 'all' ? draft.steps : draft.steps.filter((step) => step.key === target.key);
  if (steps.some((step) => step.dataSourceId === null)) return 'Choose a data source first.';
  if (steps.some((step) => step.sql.trim() === '')) return 'Write a statement first.';
  return undefined;
}
