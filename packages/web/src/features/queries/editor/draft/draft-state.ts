import type { QueryParameter } from '@svc/contract';
import type { Draft, DraftStep } from '../../../../views/query-run/draft.ts';

/** Key of the final query among the texts of a draft. */
export const finalKey = 'final';

const firstFinalQuery = 'select * from step1';

/** Draft of a query, and the text that the editor shows. */
export type DraftState = {
  readonly draft: Draft;
  /** Key of the shown step, or `finalKey`. */
  readonly shownKey: string;
};

export type DraftAction =
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'change-project'; readonly projectId: number | null }
  | { readonly kind: 'declare-parameter'; readonly parameter: QueryParameter }
  | { readonly kind: 'change-text'; readonly key: string; readonly sql: string }
  | {
      readonly kind: 'change-step';
      readonly key: string;
      readonly part: Partial<Pick<DraftStep, 'name' | 'dataSourceId'>>;
    }
  | { readonly kind: 'remove-unlinked-sources'; readonly linkedIds: ReadonlySet<number> }
  | { readonly kind: 'show'; readonly key: string }
  | { readonly kind: 'add-step'; readonly step: DraftStep }
  | { readonly kind: 'add-final-query' }
  | { readonly kind: 'remove-shown' }
  /** Default of `shownKey`: the text that is shown already. */
  | { readonly kind: 'replace'; readonly draft: Draft; readonly shownKey?: string };

export type DraftDispatch = (action: DraftAction) => void;

export const initialDraftState = (draft: Draft): DraftState => ({
  draft,
  shownKey: draft.steps[0]?.key ?? finalKey,
});

/** Returns the shown step; undefined for the final query. */
export const shownStep = ({ draft, shownKey }: DraftState): DraftStep | undefined =>
  draft.steps.find(({ key }) => key === shownKey);

/** Returns the state after an action. Returns the same state if the action changes nothing. */
export function reduceDraft(state: DraftState, action: DraftAction): DraftState {
  const { draft, shownKey } = state;
  const change = (part: Partial<Draft>): DraftState => ({ ...state, draft: { ...draft, ...part } });
  switch (action.kind) {
    case 'rename':
      return change({ name: action.name });
    case 'change-project':
      // A folder belongs to one project. The data sources are removed after the list of the new project arrives.
      return change({ projectId: action.projectId, folderId: null });
    case 'declare-parameter': {
      const others = draft.parameters.filter(({ name }) => name !== action.parameter.name);
      return change({ parameters: [...others, action.parameter] });
    }
    case 'change-text':
      return change(
        action.key === finalKey
          ? { finalQuery: action.sql }
          : { steps: changedSteps(draft, action.key, { sql: action.sql }) },
      );
    case 'change-step':
      return change({ steps: changedSteps(draft, action.key, action.part) });
    case 'remove-unlinked-sources': {
      const isUnlinked = ({ dataSourceId }: DraftStep) =>
        dataSourceId !== null && !action.linkedIds.has(dataSourceId);
      if (!draft.steps.some(isUnlinked)) return state;
      return change({
        steps: draft.steps.map((step) => (isUnlinked(step) ? { ...step, dataSourceId: null } : step)),
      });
    }
    case 'show':
      return { draft, shownKey: action.key };
    case 'add-step': {
      const steps = [...draft.steps, action.step];
      const finalQuery = draft.finalQuery ?? firstFinalQuery;
      return { draft: { ...draft, steps, finalQuery }, shownKey: action.step.key };
    }
    case 'add-final-query':
      return { draft: { ...draft, finalQuery: firstFinalQuery }, shownKey: finalKey };
    case 'remove-shown':
      return removeShown(state);
    case 'replace':
      return { draft: action.draft, shownKey: action.shownKey ?? shownKey };
  }
}

const changedSteps = (draft: Draft, key: string, part: Partial<DraftStep>): readonly DraftStep[] =>
  draft.steps.map((step) => (step.key === key ? { ...step, ...part } : step));

/** Removes the shown step or final query. Then shows the first remaining step. */
function removeShown({ draft, shownKey }: DraftState): DraftState {
  const others = draft.steps.filter(({ key }) => key !== shownKey);
  return {
    draft: shownKey === finalKey ? { ...draft, finalQuery: null } : { ...draft, steps: others },
    shownKey: others[0]?.key ?? finalKey,
  };
}
